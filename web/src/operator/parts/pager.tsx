import { useOperatorWords } from '../use-operator-words.ts';

interface PagerProps {
  readonly cursor: string | undefined;
  readonly next: string | null;
  readonly onGo: (cursor: string | undefined) => void;
}

/** On to the next page of a list, and back to its first; nothing where the list is one page. */
export function Pager({ cursor, next, onGo }: PagerProps) {
  const { o } = useOperatorWords();
  if (cursor === undefined && next === null) return null;
  return (
    <nav className="pager" aria-label={o('pager.label')}>
      {cursor !== undefined && (
        <button type="button" className="button small-button" onClick={() => onGo(undefined)}>
          {o('pager.first')}
        </button>
      )}
      {next !== null && (
        <button type="button" className="button small-button" onClick={() => onGo(next)}>
          {o('pager.next')}
        </button>
      )}
    </nav>
  );
}
