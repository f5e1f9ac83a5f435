import { useQuery } from '@tanstack/react-query';
import { FactList, Panel } from '../../parts/panel.tsx';
import { ReadBlock } from '../../parts/read-block.tsx';
import { BalanceChange } from '../parts/balance-change.tsx';
import { UserLink } from '../parts/links.tsx';
import { type Approval, transferRequestQuery, userQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { fieldOf, fieldsOf } from './approval-words.ts';
import { askedCall } from './asked-call.ts';

/** What a call will do, in numbers where it moves something, and as it was written. */
export function WhatHappens({ approval }: { readonly approval: Approval }) {
  const { o } = useOperatorWords();
  const { kind, subject } = askedCall(approval.call);
  const fields = fieldsOf(approval.body);
  const accountId = fieldOf(approval.body, 'accountId');
  const assetId = fieldOf(approval.body, 'assetId');
  const amount = fieldOf(approval.body, 'amount');
  return (
    <>
      {(kind === 'deposit' || kind === 'withdrawal') && accountId !== null && assetId !== null && amount !== null && (
        <BalanceChange accountId={accountId} assetId={assetId} change={{ type: kind, amount, isRequest: false }} />
      )}
      {kind === 'execute' && subject !== null && <RequestChange id={subject} />}
      {(kind === 'change_user' || kind === 'reactivate' || kind === 'factors') && subject !== null && (
        <UserNow id={subject} />
      )}
      <Panel title={o('approval.call')} padded footer={o('approval.call_text')}>
        <FactList
          rows={[
            [o('approval.call_path'), <code key="c">{approval.call}</code>],
            ...fields.map(([name, value]) => [name, value] as const),
          ]}
        />
      </Panel>
    </>
  );
}

function RequestChange({ id }: { readonly id: string }) {
  const { o } = useOperatorWords();
  const query = useQuery(transferRequestQuery(id));
  return (
    <ReadBlock query={query} failed={o('transfer.failed')} rows={3}>
      {({ accountId, assetId, type, amount }) => (
        <BalanceChange accountId={accountId} assetId={assetId} change={{ type, amount, isRequest: true }} />
      )}
    </ReadBlock>
  );
}

/** Whom a call is about, as they are now: what it changes stands in the call. */
function UserNow({ id }: { readonly id: string }) {
  const { o, t } = useOperatorWords();
  const query = useQuery(userQuery(id));
  return (
    <Panel title={o('approval.about')} padded>
      <ReadBlock query={query} failed={o('person.failed')} rows={3}>
        {(user) => (
          <FactList
            rows={[
              [
                o('column.person'),
                <UserLink key="u" id={user.userId}>
                  {user.name}
                </UserLink>,
              ],
              [o('column.organization'), user.owner],
              [o('person.roles'), user.roles.join(', ')],
              [o('person.phone'), user.phone ?? '–'],
              [t('column.state'), o(user.deactivatedAt === null ? 'person.active' : 'person.ended')],
            ]}
          />
        )}
      </ReadBlock>
    </Panel>
  );
}
