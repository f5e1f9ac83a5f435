import { useState } from 'react';
import { dataOf, exchange } from '../api/client.ts';
import { FactList } from '../parts/panel.tsx';
import { ActDialog, type ActHeaders } from './act-dialog.tsx';
import { type VenueAct, venueActHolds, venueActOf } from './act-state.ts';
import type { Overview } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';

interface TradingProps {
  /** As it is now; null where it could not be read. */
  readonly trading: Overview['trading'];
}

/** Halts all trading, or lifts that halt. */
export function HaltVenue({ trading }: TradingProps) {
  const [opened, setOpened] = useState<VenueAct | null>(null);
  return (
    <>
      <VenueButton act={venueActOf(trading)} onOpen={setOpened} />
      {opened !== null && <VenueDialog act={opened} trading={trading} onClose={() => setOpened(null)} />}
    </>
  );
}

interface VenueButtonProps {
  readonly act: VenueAct;
  readonly onOpen: (act: VenueAct) => void;
}

export function VenueButton({ act, onOpen }: VenueButtonProps) {
  const { o } = useOperatorWords();
  const isHalt = act.verb === 'halt';
  return (
    <button type="button" className={isHalt ? 'button danger' : 'button primary'} onClick={() => onOpen(act)}>
      {o(isHalt ? 'act.halt_venue' : 'act.resume_venue')}
    </button>
  );
}

interface VenueDialogProps extends TradingProps {
  /** As it was when the button was pressed: nothing of the dialog turns into something else meanwhile. */
  readonly act: VenueAct;
  readonly onClose: () => void;
}

export function VenueDialog({ act, trading, onClose }: VenueDialogProps) {
  const { o, many, whole } = useOperatorWords();
  const { verb, open, liveOrders } = act;
  const isHalt = verb === 'halt';
  const send = async (reason: string, header: ActHeaders) => {
    const init = { body: { reason }, params: { header } };
    await dataOf(
      isHalt ? exchange.POST('/v1/operator/venue/halt', init) : exchange.POST('/v1/operator/venue/resume', init),
    );
    return o(isHalt ? 'venue.halt_said' : 'venue.resume_said');
  };
  const n = isHalt ? liveOrders : open;
  const label =
    n === null
      ? o(isHalt ? 'halt.act_unknown' : 'act.resume_venue')
      : many(isHalt ? 'venue.halt_act' : 'venue.resume_act', n);
  return (
    <ActDialog
      name={`${verb} venue`}
      title={o(isHalt ? 'venue.halt_title' : 'venue.resume_title')}
      act={label}
      danger={isHalt}
      changed={!venueActHolds(act, trading)}
      onClose={onClose}
      send={send}
    >
      {isHalt && (
        <FactList
          rows={[
            [o('venue.open'), open === null ? o('venue.unknown') : whole(open)],
            [o('halt.orders'), liveOrders === null ? o('venue.unknown') : whole(liveOrders)],
          ]}
        />
      )}
      <p className="dim small">{o(isHalt ? 'venue.halt_text' : 'venue.resume_text')}</p>
    </ActDialog>
  );
}
