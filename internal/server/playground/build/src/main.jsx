import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './style.css';
import { App } from './app.jsx';
import { systems } from './systems.js';

await systems.load();
createRoot(document.getElementById('app')).render(<App />);
