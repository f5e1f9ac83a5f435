import { useQuery } from '@tanstack/react-query';
import { FactList, Panel } from '../../parts/panel.tsx';
import { ReadBlock } from '../../parts/read-block.tsx';
import { useWords } from '../../texts/words.tsx';
import { balanceAfter } from '../approvals/asked-call.ts';
import { accountDetailQuery } from '../queue-queries.ts';
import { AccountLink } from './links.tsx';

interface BalanceChangeProps {
  readonly accountId: string;
  readonly assetId: string;
  readonly change: Parameters<typeof balanceAfter>[1];
}

/** What an account has of an asset now, and what it would have afterwards. */
export function BalanceChange({ accountId, assetId, change }: BalanceChangeProps) {
  const { t, price } = useWords();
  const query = useQuery(accountDetailQuery(accountId));
  return (
    <Panel title={t('balance.title')} padded>
      <ReadBlock query={query} failed={t('accounts.one_failed')} rows={4}>
        {(account) => {
          const found = account.balances.find((balance) => balance.assetId === assetId);
          const before = found ?? { available: '0', held: '0' };
          const after = balanceAfter(before, change);
          const symbol = found?.symbol ?? assetId.toUpperCase();
          return (
            <FactList
              rows={[
                [
                  t('column.account'),
                  <AccountLink key="a" id={accountId}>
                    {account.name ?? accountId}
                  </AccountLink>,
                ],
                account.facts.frozen ? [t('column.state'), t('account_state.frozen')] : null,
                [t(`transfer_type.${change.type}`), `${price(change.amount)} ${symbol}`],
                [t('balance.available'), `${price(before.available)} → ${price(after.available)} ${symbol}`],
                [t('balance.held'), `${price(before.held)} → ${price(after.held)} ${symbol}`],
              ]}
            />
          );
        }}
      </ReadBlock>
    </Panel>
  );
}
