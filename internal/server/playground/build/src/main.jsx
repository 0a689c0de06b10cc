import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './style.css';
import { App } from './app.jsx';

createRoot(document.getElementById('app')).render(<App />);
