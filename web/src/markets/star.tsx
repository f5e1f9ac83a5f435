import { usePreferences } from '../session/preferences.tsx';
import { useWords } from '../texts/words.tsx';

/** On or off the watchlist. */
export function Star({ assetId, symbol }: { readonly assetId: string; readonly symbol: string }) {
  const { t } = useWords();
  const { preferences, change } = usePreferences();
  const isOn = preferences.watchlist.includes(assetId);
  const watchlist = isOn ? preferences.watchlist.filter((id) => id !== assetId) : [...preferences.watchlist, assetId];
  return (
    <button
      type="button"
      className="star"
      aria-pressed={isOn}
      aria-label={t('markets.watch', { symbol })}
      onClick={(event) => {
        event.stopPropagation();
        change({ watchlist });
      }}
    >
      {isOn ? '★' : '☆'}
    </button>
  );
}
