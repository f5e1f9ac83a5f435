import { Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { feed } from '../feed/feed.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { usePreferences } from '../session/preferences.tsx';
import type { Theme } from '../session/preferences-wire.ts';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import type { TextKey } from '../texts/texts.ts';
import { useWords } from '../texts/words.tsx';

const THEMES: readonly (readonly [Theme, TextKey])[] = [
  ['auto', 'theme.auto'],
  ['light', 'theme.light'],
  ['dark', 'theme.dark'],
];

interface PersonMenuProps {
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}

export function PersonMenu({ onHelp, onPalette }: PersonMenuProps) {
  const { t, language } = useWords();
  const session = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { preferences, change, forget } = usePreferences();
  const [problem, setProblem] = useState<unknown>(null);
  const leave = async (everywhere: boolean) => {
    setProblem(null);
    try {
      await signOut(everywhere);
    } catch (failed) {
      setProblem(failed);
      return;
    }
    feed.stop();
    queries.clear();
    sessionStorage.clear();
    forget();
    await navigate({ to: '/signed-out' });
  };
  return (
    <>
      {problem !== null && (
        <Dialog title={t('frame.still_signed_in')} opened onClose={() => setProblem(null)}>
          <ProblemNote title={t('frame.not_signed_out')} error={problem} />
        </Dialog>
      )}
      <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 0 }} width={240}>
        <Menu.Target>
          <button type="button" className="person">
            {session?.name ?? t('frame.person')}
            <span className="dim organization"> · {session?.organization.name}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('frame.person_menu')}>
          <Menu.Item onClick={onPalette}>{t('frame.find')}</Menu.Item>
          <Menu.Item onClick={onHelp}>{t('keys_help.title')}</Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: '/account' })}>{t('place.account')}</Menu.Item>
          <Menu.Divider />
          {THEMES.map(([theme, key]) => (
            <Menu.Item
              key={theme}
              role="menuitemradio"
              aria-checked={preferences.theme === theme}
              onClick={() => change({ theme })}
            >
              {t(key)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            lang={language === 'en' ? 'de' : 'en'}
            onClick={() => change({ language: language === 'en' ? 'de' : 'en' })}
          >
            {language === 'en' ? 'Deutsch' : 'English'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => void leave(false)}>{t('frame.sign_out')}</Menu.Item>
          <Menu.Item onClick={() => void leave(true)}>{t('frame.sign_out_everywhere')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
