/** The peer of `bench:console`: the console's stack with one page that shows a heading, a number from a query, and a button. */
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/Button.css';
import { Button, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Page() {
  const { data } = useQuery({
    queryKey: ['pairs'],
    queryFn: async () => (await fetch('/console/healthz')).status,
  });
  const [presses, setPresses] = useState(0);
  return (
    <main>
      <h1>A bare page of the same stack</h1>
      <p>{data ?? 'asking'}</p>
      <Button onClick={() => setPresses(presses + 1)}>Pressed {presses} times</Button>
    </main>
  );
}

const root = createRootRoute();
const router = createRouter({
  routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '/bare/', component: Page })]),
});

const place = document.getElementById('root');
if (place === null) throw new Error('the page lacks its root');
createRoot(place).render(
  <StrictMode>
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
