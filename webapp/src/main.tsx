import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from '@/app/App';
import { loadApp } from '@/app/load-app';
import { guardHistory } from '@/lib/guard-history';

import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

guardHistory();
loadApp();
// A transition renders in chunks, so that slow phones stay responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>,
  ),
);
