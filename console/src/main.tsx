import './style/page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { createHouse } from './house.ts';
import { createRouter } from './route.ts';

const page = document.getElementById('page');
if (page) render(<App house={createHouse()} router={createRouter()} />, page);
