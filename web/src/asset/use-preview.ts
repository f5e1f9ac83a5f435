import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Destination, previewOrder } from './place-order.ts';
import type { TicketForm } from './ticket-rules.ts';

/** After the last key; more than one a second would take from the person's own limit. */
const PAUSE_MS = 300;
const OLD_MS = 10_000;

/** What the order would do and cost, from where it would go; asked anew as the ticket changes. Null of `form` for one that cannot be asked. */
export function usePreview(to: Destination, form: TicketForm | null) {
  const settled = useSettled(form === null ? '' : JSON.stringify(form));
  const asked = settled === '' ? null : (JSON.parse(settled) as TicketForm);
  const query = useQuery({
    queryKey: ['preview', to, settled],
    enabled: asked !== null,
    queryFn: ({ signal }) => previewOrder(to, asked as TicketForm, signal),
    staleTime: OLD_MS,
    gcTime: OLD_MS,
    retry: false,
    refetchInterval: OLD_MS,
    placeholderData: keepPreviousData,
  });
  const isCurrent = form !== null && settled === JSON.stringify(form) && !query.isPlaceholderData;
  return {
    preview: form === null ? undefined : query.data,
    error: isCurrent ? query.error : null,
    isCurrent: isCurrent && !query.isPending,
  };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
