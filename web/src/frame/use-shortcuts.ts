import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PAGES, type Page } from '../pages.ts';

interface Acts {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

/** Keys that work everywhere but where something is typed: `Ctrl K`, `?`, `/`, and `g` with a letter. */
export function useShortcuts({ onPalette, onHelp }: Acts): void {
  const navigate = useNavigate();
  useEffect(() => {
    let isGoing = false;
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
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
  }, [navigate, onPalette, onHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
