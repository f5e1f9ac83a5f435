import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callConsole } from '../api/client.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import { keepStoreFor } from './own-store.ts';
import { type Session, sessionQuery } from './session.ts';
import { type Ending, endingOf } from './stay.ts';

/** What was read of the session may be older than its use since: it is read anew, without using it. */
const AGAIN_MS = 20_000;
/** The clock of a device may be wrong: what it says is held against the server's so often. */
const LOOK_MS_MAX = 600_000;

/**
 * Says that the session is about to end. It lies over the page, so what was typed there stays. What the page reads by itself keeps no session: only
 * the button does, by a call that counts as used.
 */
export function StaySignedIn() {
  const { c, t, time } = useCustomerWords();
  const queries = useQueryClient();
  const [ending, setEnding] = useState<Exclude<Ending, { is: 'far' }> | null>(null);
  /** End of the session whose warning was closed. */
  const [closed, setClosed] = useState<string | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const look = useCallback(
    async (isUsing: boolean): Promise<number> => {
      const headers = isUsing ? {} : { 'x-console': 'background' };
      const answer = await callConsole(new Request('/console/v1/session', { headers }));
      const session = (await answer.json()) as Session;
      keepStoreFor(session.user_id);
      queries.setQueryData(sessionQuery.queryKey, session);
      const found = endingOf(session.session, nowOf(answer));
      setEnding(found.is === 'far' ? null : found);
      return found.is === 'far' ? found.in_ms : AGAIN_MS;
    },
    [queries],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const wait = (ms: number) => {
      timer = setTimeout(() => void again(), Math.min(Math.max(ms, 1_000), LOOK_MS_MAX));
    };
    const again = async () => {
      const ms = await look(false).catch(() => AGAIN_MS);
      if (!isOver) wait(ms);
    };
    const known = queries.getQueryData<Session>(sessionQuery.queryKey);
    const first = known === undefined ? null : endingOf(known.session, Date.now());
    wait(first?.is === 'far' ? first.in_ms : 1_000);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [look, queries]);

  const said = ending === null ? null : c(`stay.${ending.is}`, { time: time(ending.at) });
  useEffect(() => {
    // What failed at an earlier warning says nothing of this one.
    setProblem(null);
    if (said !== null) announce(said, 'assertive');
  }, [said]);

  const stay = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await look(true);
      announce(c('stay.kept'));
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  if (ending === null || said === null || closed === ending.at) return null;
  return (
    <Dialog title={said} opened onClose={() => setClosed(ending.at)}>
      <div className="dialog-body stack">
        <p>{c(`stay.${ending.is}_text`)}</p>
        {problem !== null && <ProblemNote title={c('stay.failed')} error={problem} />}
      </div>
      <div className="dialog-acts">
        {ending.is === 'idle' ? (
          <button type="button" className="button primary" data-autofocus disabled={busy} onClick={() => void stay()}>
            {c('stay.do')}
          </button>
        ) : (
          <button type="button" className="button" data-autofocus onClick={() => setClosed(ending.at)}>
            {t('act.close')}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** The time of the server, in Unix milliseconds: the device's where it does not say. */
function nowOf(answer: Response): number {
  const said = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}
