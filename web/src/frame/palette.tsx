import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { allOrdersQuery, assetsQuery } from '../api/queries.ts';
import { isShownTo, PAGES, type Page } from '../pages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { usePreferences } from '../session/preferences.tsx';
import { useSession } from '../session/session.ts';
import { useWords } from '../texts/words.tsx';
import { type Found, findEntries } from './find-entries.ts';

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** As long as ids are, without a blank, and with a digit or a dash. */
const ID = /^(?=.*[\d-])\S{6,100}$/;

/** Finds a page, an asset, an own order or a setting by what is typed. It sends nothing: an act opens its page. */
export function Palette({ opened, onClose }: PaletteProps) {
  const { t } = useWords();
  return (
    <Dialog title={t('frame.find')} opened={opened} onClose={onClose} size={640}>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

function Finder({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const { change } = usePreferences();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const session = useSession();
  const { data: assets = [] } = useQuery(assetsQuery);
  const { data: orders = [] } = useQuery(allOrdersQuery);
  const entries = useMemo<Found[]>(
    () => [
      ...assets.map(({ id, symbol, name }) => ({
        id: `asset-${id}`,
        title: symbol,
        detail: name,
        words: `${symbol} ${name}`,
        run: () => void navigate({ to: '/assets/$assetId', params: { assetId: id } }),
      })),
      ...(PAGES as readonly Page[]).flatMap((page) => {
        const { path, title, synonyms } = page;
        return synonyms === undefined || !isShownTo(page, session)
          ? []
          : [
              {
                id: `page-${path}`,
                title: t(title),
                detail: t('palette.page'),
                words: `${t(title)} ${t(synonyms)}`,
                run: () => void navigate({ to: path }),
              },
            ];
      }),
      ...assets.flatMap(({ id, symbol }) =>
        (['buy', 'sell'] as const).map((side) => ({
          id: `${side}-${id}`,
          title: t(side === 'buy' ? 'palette.buy' : 'palette.sell', { symbol }),
          detail: t('palette.act'),
          words: `${t(side === 'buy' ? 'side.buy' : 'side.sell')} ${symbol}`,
          run: () => void navigate({ to: '/assets/$assetId', params: { assetId: id }, search: { side } }),
        })),
      ),
      ...orders.map(({ order_id, client_order_id, symbol }) => ({
        id: `order-${order_id}`,
        title: `${t('order.title')} ${symbol}`,
        detail: order_id,
        words: `${order_id} ${client_order_id ?? ''}`,
        run: () => void navigate({ to: '/orders/$orderId', params: { orderId: order_id } }),
      })),
      ...(['auto', 'light', 'dark'] as const).map((theme) => ({
        id: `theme-${theme}`,
        title: t(`theme.${theme}`),
        detail: t('palette.setting'),
        words: t(`theme.${theme}`),
        run: () => change({ theme }),
      })),
    ],
    [assets, orders, session, t, navigate, change],
  );
  /** Whoever sees others' accounts finds anything by its whole id. */
  const byId = (): Found[] => {
    const id = typed.trim();
    if (!ID.test(id) || session?.powers.includes('see_accounts') !== true) return [];
    const run = () => void navigate({ to: '/operator/search', search: { id } });
    return [{ id: 'by-id', title: t('find.title'), detail: id, words: id, run }];
  };
  const found = [...findEntries(entries, typed), ...byId()];
  const chosen = found[Math.min(at, found.length - 1)];
  const take = (entry: Found | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  return (
    <div className="palette">
      <input
        className="input large"
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.id}`}
        aria-label={t('palette.label')}
        placeholder={t('palette.hint')}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            const step = event.key === 'ArrowDown' ? 1 : -1;
            setAt(Math.max(0, Math.min(found.length - 1, at + step)));
          } else if (event.key === 'Enter') {
            event.preventDefault();
            take(chosen);
          }
        }}
      />
      <div role="listbox" id={listId} aria-label={t('palette.found')}>
        {found.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the chosen one
          <div
            key={entry.id}
            id={`${listId}-${entry.id}`}
            role="option"
            aria-selected={entry === chosen}
            onClick={() => take(entry)}
          >
            <span>{entry.title}</span>
            <span className="dim small">{entry.detail}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="dim pad">{t('palette.nothing', { typed })}</p>}
    </div>
  );
}
