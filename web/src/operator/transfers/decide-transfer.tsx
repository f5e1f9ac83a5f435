import { useState } from 'react';
import { dataOf, exchange, sent } from '../../api/client.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { useWords } from '../../texts/words.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import type { TransferRequest } from '../queue-queries.ts';
import type { TransferDecision } from './transfer-words.ts';

interface DecideTransferProps {
  readonly request: TransferRequest;
  readonly decision: TransferDecision;
  readonly onClose: () => void;
}

export function DecideTransfer({ request, decision, onClose }: DecideTransferProps) {
  const { t, price, locale } = useWords();
  const [cost, setCost] = useState('');
  const facts = { amount: price(request.amount), symbol: request.symbol, name: request.name ?? request.accountId };
  // What was paid in and is no money has cost something: its lots say what.
  const asksCost = decision === 'execute' && request.type === 'deposit' && request.symbol !== 'USD';
  const paid = cost === '' ? '0' : readInput(cost, locale);
  const send = (reason: string, key: string) => {
    const params = { path: { id: request.id }, header: { 'Idempotency-Key': key } };
    const body = { reason, cost: sent(paid ?? '0') };
    if (decision === 'approve')
      return dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/approve', { params, body }));
    if (decision === 'reject')
      return dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/reject', { params, body }));
    return dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/execute', { params, body }));
  };
  return (
    <ActDialog
      title={t(`transfer_ask.${decision}_${request.type}`, facts)}
      act={t(`transfer_act.${decision}`)}
      failed={t('transfer.not_decided')}
      said={t(`transfer_said.${decision}`, facts)}
      name={`transfer ${decision} ${request.id} ${paid}`}
      danger={decision === 'reject'}
      isIncomplete={paid === null}
      send={send}
      onClose={onClose}
    >
      <p>{t(`transfer_happens.${decision}_${request.type}`, facts)}</p>
      <FactList
        rows={[
          [t('column.person'), facts.name],
          [t('transfer.amount'), `${facts.amount} ${request.symbol}`],
          [t('transfer.reference'), request.reference ?? '–'],
        ]}
      />
      {asksCost && (
        <NumberField
          label={t('transfer.cost')}
          hint={t('transfer.cost_hint')}
          name="cost"
          unit="USD"
          value={cost}
          error={paid === null ? t('flaw.not_positive') : null}
          onChange={setCost}
        />
      )}
    </ActDialog>
  );
}
