import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callConsole } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Panel, State } from '../../parts/panel.tsx';
import { Empty } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActProblem } from '../parts/act-problem.tsx';
import { type Identity, OPERATOR_KEY } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

interface DocumentListProps {
  readonly identity: Identity;
  readonly opened: ReadonlySet<string>;
  readonly onOpened: (id: string) => void;
}

type DocumentItem = Identity['documents'][number];

/** A document that is held by this page, until its window is closed. */
interface Shown {
  readonly document: DocumentItem;
  readonly address: string;
}

/** What the person has shown. A document is fetched when somebody opens it, and each look stands in the trail. */
export function DocumentList({ identity, opened, onOpened }: DocumentListProps) {
  const { o, t, dateTime, exact } = useOperatorWords();
  const queries = useQueryClient();
  const session = useSession();
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const mayLook = session?.powers.includes('see_identities') === true;
  useEffect(() => () => (shown === null ? undefined : URL.revokeObjectURL(shown.address)), [shown]);
  const look = async (document: DocumentItem) => {
    setBusy(true);
    setProblem(null);
    try {
      const path = `/console/call/exchange/v1/operator/onboarding/${identity.id}/documents/${document.id}`;
      const answer = await callConsole(new Request(path));
      setShown({ document, address: URL.createObjectURL(await answer.blob()) });
      onOpened(document.id);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: [...OPERATOR_KEY, 'trail'] });
    }
  };
  return (
    <Panel title={o('identity.documents')} footer={o('identity.documents_text')}>
      {problem !== null && <ActProblem title={o('identity.not_shown')} error={problem} />}
      {identity.documents.length === 0 ? (
        <Empty title={o('identity.no_documents')} text={o('identity.no_documents_text')} />
      ) : (
        <div className="scroll">
          <table className="table roomy">
            <caption className="hidden-text">{o('identity.documents')}</caption>
            <thead>
              <tr>
                <th>{o('identity.document')}</th>
                <th className="less">{o('identity.uploaded')}</th>
                <th className="right less">{o('identity.size')}</th>
                <th>
                  <span className="hidden-text">{t('column.acts')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {identity.documents.map((document) => (
                <tr key={document.id}>
                  <td>
                    {o(`document.${document.kind}`)}
                    {opened.has(document.id) && (
                      <small>
                        <State tone="ok">{o('identity.opened')}</State>
                      </small>
                    )}
                  </td>
                  <td className="less">{dateTime(document.createdAt)}</td>
                  <td className="right less">{exact(String(Math.ceil(Number(document.bytes) / 1_024)))} KiB</td>
                  <td className="right">
                    {mayLook && (
                      <button type="button" className="link" disabled={busy} onClick={() => void look(document)}>
                        {o('identity.open')}
                        <span className="hidden-text"> {o(`document.${document.kind}`)}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown !== null && (
        <Dialog title={o(`document.${shown.document.kind}`)} opened onClose={() => setShown(null)} size={900}>
          <div className="dialog-body">
            {shown.document.type === 'application/pdf' ? (
              <p>
                <a className="button" href={shown.address} download={`${shown.document.id}.pdf`}>
                  {o('identity.save_pdf')}
                </a>
              </p>
            ) : (
              <img className="document" src={shown.address} alt={o(`document.${shown.document.kind}`)} />
            )}
            <p className="dim small">{o('identity.look_recorded', { name: session?.name ?? '' })}</p>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
