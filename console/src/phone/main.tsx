import '../style/page.css';
import './phone.css';
import { render } from 'preact';
import { PhoneView } from './phone-view.tsx';

const page = document.getElementById('page');
if (page) render(<PhoneView />, page);
