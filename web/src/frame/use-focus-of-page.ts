import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Another page takes the focus, as a page that is loaded anew does: the next Tab goes into it, and a screen reader begins to read there. */
export function useFocusOfPage(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
