import { useEffect } from 'react';

/** Of the window's tab, and of the part of the page that has the focus when it opens. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Edge exchange`;
    document.getElementById('main')?.setAttribute('aria-label', title);
  }, [title]);
}
