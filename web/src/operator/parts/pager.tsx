import { useNavigate } from '@tanstack/react-router';
import { useOperatorWords } from '../use-operator-words.ts';

interface PagerProps {
  readonly cursor: string | undefined;
  readonly next: string | null;
}

/** On to the next page of the list at this address, and back to its first; nothing where the list is one page. */
export function Pager({ cursor, next }: PagerProps) {
  const { o } = useOperatorWords();
  const navigate = useNavigate();
  const go = (to: string | undefined) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, cursor: to }) } as Parameters<
      typeof navigate
    >[0]);
  if (cursor === undefined && next === null) return null;
  return (
    <nav className="pager" aria-label={o('pager.label')}>
      {cursor !== undefined && (
        <button type="button" className="button small-button" onClick={() => go(undefined)}>
          {o('pager.first')}
        </button>
      )}
      {next !== null && (
        <button type="button" className="button small-button" onClick={() => go(next)}>
          {o('pager.next')}
        </button>
      )}
    </nav>
  );
}
