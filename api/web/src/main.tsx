import { render } from 'solid-js/web';
import { App } from './app.jsx';
import { watchOpenings } from './features/add/opened-with.js';
import { loadLanguage } from './strings/language.js';
import { applyTheme } from './theme/theme.js';
import './theme/tokens.css';
import './theme/base.css';

applyTheme();
watchOpenings();
await loadLanguage();
render(() => <App />, document.getElementById('root')!);
