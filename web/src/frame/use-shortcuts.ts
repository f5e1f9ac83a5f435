import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PAGES, type Page } from '../pages.ts';
import { isTyping } from '../parts/is-typing.ts';

interface Acts {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
  /** Whether keys without Ctrl do anything. */
  readonly singleKeys: boolean;
}

/** Keys that work everywhere but where something is typed: `Ctrl K`, `?`, `/`, and `g` with a letter. */
export function useShortcuts({ onPalette, onHelp, singleKeys }: Acts): void {
  const navigate = useNavigate();
  useEffect(() => {
    let isGoing = false;
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (isGoing) {
        isGoing = false;
        const page = (PAGES as readonly Page[]).find(({ key }) => key === event.key);
        if (page !== undefined) {
          event.preventDefault();
          void navigate({ to: page.path });
        }
        return;
      }
      if (event.key === 'g') isGoing = true;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('[data-page-search]');
        if (field !== null) {
          event.preventDefault();
          field.focus();
        }
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, onPalette, onHelp, singleKeys]);
}
