import { render } from 'solid-js/web';
import { App } from './app.jsx';
import { loadLanguage } from './strings/language.js';
import { applyTheme } from './theme/theme.js';
import './theme/tokens.css';
import './theme/base.css';

applyTheme();
await loadLanguage();
render(() => <App />, document.getElementById('root')!);
