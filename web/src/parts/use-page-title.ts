import { useEffect } from 'react';

/** Of the window's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Edge exchange`;
  }, [title]);
}
