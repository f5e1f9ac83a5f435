import type { Order } from '../api/queries.ts';
import type { Words } from '../texts/words.tsx';

const OPEN_STATUSES = ['open', 'partially_filled', 'pending_trigger'] as const;

export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

export function toneOfOrder({ status }: Pick<Order, 'status'>): 'ok' | 'run' | 'wait' | 'bad' | 'none' {
  return (
    {
      open: 'run',
      partially_filled: 'run',
      pending_trigger: 'wait',
      filled: 'ok',
      rejected: 'bad',
      cancelled: 'none',
      expired: 'none',
    } as const
  )[status];
}

export function priceOf(
  { price, stop_price, type }: Pick<Order, 'price' | 'stop_price' | 'type'>,
  { price: shown, t }: Words,
): string {
  if (stop_price !== null && price !== null)
    return `${shown(price)} (${t('order.from', { price: shown(stop_price) })})`;
  if (stop_price !== null) return t('order.from', { price: shown(stop_price) });
  return price === null || type === 'market' ? t('type.market') : shown(price);
}

export function typeOf(type: string, { t }: Words): string {
  switch (type) {
    case 'market':
    case 'limit':
    case 'stop_loss':
    case 'stop_loss_limit':
    case 'take_profit':
    case 'take_profit_limit':
    case 'limit_maker':
      return t(`type.${type}`);
    default:
      return type;
  }
}

export function timeInForceOf(time: string, { t }: Words): string {
  switch (time) {
    case 'GTC':
    case 'IOC':
    case 'FOK':
    case 'GTD':
    case 'POST_ONLY':
      return t(`time.${time}`);
    default:
      return time;
  }
}
