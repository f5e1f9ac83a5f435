import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ProblemNote } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { ownPath } from './own-path.ts';
import { beginSession } from './session.ts';

const route = getRouteApi('/open/sign-in');

export function SignInPage() {
  const { t } = useWords();
  const { return_to, ended, problem: came } = route.useSearch();
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  usePageTitle(t('sign_in.title'));
  const back = ownPath(return_to);
  const begin = async () => {
    setBusy(true);
    setProblem(null);
    try {
      location.assign(await beginSession(back));
    } catch (failed) {
      setProblem(failed);
      setBusy(false);
    }
  };
  return (
    <div className="solo">
      <h1>{t('sign_in.head')}</h1>
      <p className="lede">{ended === 'idle' ? t('sign_in.ended') : t('sign_in.text')}</p>
      {back !== '/' && <p className="dim">{t('sign_in.back', { path: back })}</p>}
      {came !== undefined && (
        <p className="note bad" role="alert">
          {t(came === 'denied' ? 'sign_in.denied' : came === 'unavailable' ? 'sign_in.unavailable' : 'sign_in.failed')}
        </p>
      )}
      {problem !== null && <ProblemNote title={t('sign_in.not_begun')} error={problem} />}
      <button type="button" className="button primary large full" disabled={busy} onClick={() => void begin()}>
        {t('sign_in.act')}
      </button>
      <p className="small dim">{t('sign_in.how')}</p>
    </div>
  );
}
