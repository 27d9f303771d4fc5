import './style/page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { createHouse } from './house.ts';
import { loadPageLanguage } from './language/page-language.ts';
import { startAppWorker } from './phone/app-worker.ts';
import { createRouter } from './router.ts';

await loadPageLanguage();
const page = document.getElementById('page');
if (page) render(<App house={createHouse()} router={createRouter()} />, page);
startAppWorker();
