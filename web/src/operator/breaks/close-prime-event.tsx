import { dataOf, exchange } from '../../api/client.ts';
import { ActDialog } from '../act-dialog.tsx';
import type { PrimeEvent } from '../desk-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

interface CloseProps {
  readonly event: PrimeEvent;
  /** It waits no longer. */
  readonly changed: boolean;
  readonly onClose: () => void;
}

/** Closes an event of the prime broker that people have seen to. */
export function ClosePrimeEvent({ event: { id, reason: why }, changed, onClose }: CloseProps) {
  const { o } = useOperatorWords();
  return (
    <ActDialog
      name={`close prime event ${id}`}
      title={o('prime.close_ask')}
      act={o('prime.close')}
      changed={changed}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id }, header };
        await dataOf(exchange.POST('/v1/operator/prime-events/{id}/resolve', { params, body: { reason } }));
        return o('prime.said');
      }}
    >
      <p>{why}</p>
      <p className="dim small">{o('prime.happens')}</p>
    </ActDialog>
  );
}
