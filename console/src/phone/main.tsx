import '../style/page.css';
import './phone.css';
import { render } from 'preact';
import { loadPageLanguage } from '../language/page-language.ts';
import { PhoneView } from './phone-view.tsx';

await loadPageLanguage();
const page = document.getElementById('page');
if (page) render(<PhoneView />, page);
