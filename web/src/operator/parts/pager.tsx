import { useWords } from '../../texts/words.tsx';

interface PagerProps {
  readonly cursor: string | undefined;
  readonly next: string | null;
  readonly onGo: (cursor: string | undefined) => void;
}

/** On to the next page of a list, and back to its first; nothing where the list is one page. */
export function Pager({ cursor, next, onGo }: PagerProps) {
  const { t } = useWords();
  if (cursor === undefined && next === null) return null;
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {cursor !== undefined && (
        <button type="button" className="button small-button" onClick={() => onGo(undefined)}>
          {t('pager.first')}
        </button>
      )}
      {next !== null && (
        <button type="button" className="button small-button" onClick={() => onGo(next)}>
          {t('pager.next')}
        </button>
      )}
    </nav>
  );
}
