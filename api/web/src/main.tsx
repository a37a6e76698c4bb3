import { render } from 'solid-js/web';
import { App } from './app.jsx';
import { applyTheme } from './theme/theme.js';
import './theme/tokens.css';
import './theme/base.css';

applyTheme();
render(() => <App />, document.getElementById('root')!);
