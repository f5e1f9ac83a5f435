import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './api/api-problem.ts';
import { watchAttendance } from './api/attendance.ts';
import { whenSignedOut } from './api/client.ts';
import { feed } from './feed/feed.ts';
import { makeRouter } from './router.tsx';
import { forgetPerson } from './session/forget.ts';
import { PreferencesProvider } from './session/preferences.tsx';
import { sessionQuery } from './session/session.ts';
import './styles/index.css';
import { WordsProvider } from './texts/words.tsx';
import { theme } from './theme.ts';

const MINUTE_MS = 60_000;

watchAttendance(window);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (tries, error) => tries < 2 && (!(error instanceof ApiProblem) || isWorthAsking(error)),
      retryDelay: (tries, error) =>
        error instanceof ApiProblem && error.retryAfter !== null
          ? Math.min(error.retryAfter, MINUTE_MS)
          : 500 * 2 ** tries,
    },
    mutations: { retry: false },
  },
});

const router = makeRouter(queries);

whenSignedOut(() => {
  feed.stop();
  const { pathname, href } = router.state.location;
  // Whoever had none is led to its start by the router, and is told of no end.
  if (
    pathname === '/sign-in' ||
    pathname === '/signed-out' ||
    queries.getQueryData(sessionQuery.queryKey) === undefined
  )
    return;
  queries.removeQueries({ queryKey: ['own'] });
  queries.removeQueries({ queryKey: ['session'] });
  forgetPerson();
  void router.navigate({ to: '/sign-in', search: { return_to: href, ended: 'idle' } });
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page lacks its root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'theme' })}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <PreferencesProvider>
          <WordsProvider>
            <RouterProvider router={router} />
          </WordsProvider>
        </PreferencesProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/** Waiting helps: the page was asked too often, or the system could not answer just now. */
function isWorthAsking({ status }: ApiProblem): boolean {
  return status === 0 || status === 429 || status >= 500;
}
