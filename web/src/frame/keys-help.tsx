import { isShownTo, PAGES, type Page } from '../pages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FactList } from '../parts/panel.tsx';
import { usePreferences } from '../session/preferences.tsx';
import { useSession } from '../session/session.ts';
import { useWords } from '../texts/words.tsx';

export function KeysHelp({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useWords();
  const session = useSession();
  const { preferences, change } = usePreferences();
  const going = (PAGES as readonly Page[]).filter((page) => page.key !== undefined && isShownTo(page, session));
  const key = (...keys: readonly string[]) => (
    <>
      {keys.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </>
  );
  return (
    <Dialog title={t('keys_help.title')} opened={opened} onClose={onClose}>
      <div className="dialog-body">
        <FactList
          rows={[
            [t('keys_help.palette'), key('Ctrl', 'K')],
            [t('keys_help.search'), key('/')],
            [t('keys_help.this'), key('?')],
            [t('keys_help.side'), key('b', 's')],
            [t('keys_help.step'), key('↑', '↓')],
            [t('keys_help.close'), key('Esc')],
            ...going.map(
              ({ title, key: letter = '' }) => [t('keys_help.go', { page: t(title) }), key('g', letter)] as const,
            ),
          ]}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={preferences.singleKeys}
            onChange={(event) => change({ singleKeys: event.target.checked })}
          />{' '}
          {t('keys_help.single')}
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={preferences.tradingKeys}
            disabled={!preferences.singleKeys}
            onChange={(event) => change({ tradingKeys: event.target.checked })}
          />{' '}
          {t('keys_help.trading')}
        </label>
      </div>
    </Dialog>
  );
}
