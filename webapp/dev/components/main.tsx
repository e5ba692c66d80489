import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { routes, withDebug } from '@/lib/paths';
import { ConfigContext, useConfigStore } from '@/modules/config/config-store';
import { queryClient } from '@/modules/session/query-client';
import { useSessionStore } from '@/modules/session/session-store';
import { config, user } from './examples';
import { Gallery } from './Gallery';
import { extendPseudoClasses } from './pseudo-states';

import './components.css';

useConfigStore.setState({ state: { status: 'ready', config } });
useSessionStore.setState({
  session: { status: 'signedIn', user, customer: null, error: null, token: '' },
});

for (const { cssRules } of document.styleSheets) extendPseudoClasses(cssRules);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MemoryRouter initialEntries={[withDebug(routes.billing)]}>
      <ConfigContext value={config}>
        <QueryClientProvider client={queryClient}>
          <Gallery />
        </QueryClientProvider>
      </ConfigContext>
    </MemoryRouter>
  </StrictMode>,
);
