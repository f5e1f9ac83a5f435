import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSum } from '../codec/check-sum.ts';
import type { Field } from '../codec/fix-message.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import { SessionFile } from '../store/session-file.ts';
import { readSchedule, type Schedule } from './schedule.ts';
import { Session } from './session.ts';
import type { SessionEffect } from './session-effect.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

/** A session with a store of its own, and the peer's side of it as text: `35=0|34=2|112=HELLO`, where 49, 52 and 56 may be left out. */
class Peer {
  now_ms = NOON;
  readonly path: string;
  store: SessionFile;
  session: Session;
  readonly #schedule: Schedule;
  readonly #explainsRefusals: boolean;

  constructor(
    schedule = '',
    explainsRefusals = false,
    path = join(mkdtempSync(join(tmpdir(), 'fix-session-')), 'session.jsonl'),
  ) {
    this.path = path;
    const read = readSchedule(schedule);
    if (!read.ok) throw new Error(read.error);
    this.#schedule = read.value;
    this.#explainsRefusals = explainsRefusals;
    this.store = new SessionFile(path, this.now_ms);
    this.session = this.#start();
  }

  #start(): Session {
    return new Session(
      {
        senderCompId: 'ISLD',
        targetCompId: 'TW',
        resetOnLogon: false,
        explainsRefusals: this.#explainsRefusals,
        isTest: true,
        schedule: this.#schedule,
        clockSkew_ms_max: 120_000,
        supported: new Set(['D']),
      },
      this.store,
    );
  }

  /** The process dies, as by SIGKILL, and another takes over. */
  restart(): void {
    this.store.flush();
    this.store = new SessionFile(this.path, this.now_ms);
    this.session = this.#start();
  }

  logOn(sequence = 1, more = ''): string[] {
    const sent = this.connect();
    return [...sent, ...this.send(`35=A|34=${sequence}|98=0|108=30${more}`)];
  }

  connect(): string[] {
    return seen(this.session.connect(this.now_ms));
  }

  send(text: string): string[] {
    return this.raw(messageOf(text, this.now_ms));
  }

  raw(frame: string): string[] {
    const effects = this.session.receive(frame, this.now_ms);
    for (let more = this.session.receiveQueued(this.now_ms); more !== null; ) {
      effects.push(...more);
      more = this.session.receiveQueued(this.now_ms);
    }
    return seen(effects);
  }

  after(wait_ms: number): string[] {
    this.now_ms += wait_ms;
    return seen(this.session.tick(this.now_ms));
  }

  say(text: string): string[] {
    const body: Field[] = [[58, text]];
    return seen(this.session.send('8', body, this.now_ms));
  }
}

function messageOf(text: string, now_ms: number): string {
  const given = text.split('|');
  const has = (tag: string) => given.some((field) => field.startsWith(`${tag}=`));
  const [type = '', ...rest] = given;
  const header = [
    ...(has('49') ? [] : ['49=TW']),
    ...(has('52') ? [] : [`52=${writeTimestamp(now_ms)}`]),
    ...(has('56') ? [] : ['56=ISLD']),
  ];
  return framed('FIX.4.4', [type, ...header, ...rest].map((field) => `${field}\x01`).join(''));
}

function framed(version: string, body: string): string {
  const message = `8=${version}\x019=${body.length}\x01${body}`;
  return `${message}10=${checkSum(message)}\x01`;
}

/** What an observer sees: messages without length, check sum, CompIDs and times; deliveries and disconnections by name. */
function seen(effects: readonly SessionEffect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.type === 'send') {
      const fields = effect.text.split('\x01').slice(2, -2);
      return fields.filter((field) => !/^(49|52|56|122)=/.test(field)).join('|');
    }
    if (effect.type === 'deliver') return `deliver ${effect.sequence}`;
    return effect.type === 'disconnect' ? 'disconnect' : [];
  });
}

const ORDER = '11=ID|21=3|40=1|54=1|55=INTC|60=20261120-12:00:00';
const order = (sequence: number, more = '') => `35=D|34=${sequence}|${more}${ORDER}`;

describe('logon', () => {
  it('is answered with the heartbeat interval echoed', () => {
    expect(new Peer().logOn()).toEqual(['35=A|34=1|98=0|108=30']);
  });

  it('with a sequence number too high is answered, then what is missing is asked for', () => {
    expect(new Peer().logOn(5)).toEqual(['35=A|34=1|98=0|108=30', '35=2|34=2|7=1|16=0']);
  });

  it('with a sequence number too low is answered by a logout that says what is expected', () => {
    const peer = new Peer();
    peer.logOn();
    peer.session.disconnect();
    expect(peer.logOn(1)).toEqual(['35=5|34=2|58=MsgSeqNum too low, expecting 2 but received 1', 'disconnect']);
  });

  it.each([
    ['another message', '35=0|34=1'],
    ['a wrong SenderCompID', '35=A|34=1|49=WT|98=0|108=30'],
    ['a wrong TargetCompID', '35=A|34=1|56=DLSI|98=0|108=30'],
    ['a sending time too far off', '35=A|34=1|52=20010101-00:00:00|98=0|108=30'],
    ['a missing field', '35=A|34=1|98=0'],
  ])('is the first message: %s disconnects without a word', (_, text) => {
    const peer = new Peer();
    peer.connect();
    expect(peer.send(text)).toEqual(['disconnect']);
  });

  it.each([
    ['a missing field', '35=A|34=1|98=0', 'the logon is not valid: Required tag missing (tag 108)'],
    ['a sending time too far off', '35=A|34=1|52=20010101-00:00:00|98=0|108=30', 'SendingTime accuracy problem'],
    ['a wrong SenderCompID', '35=A|34=1|49=WT|98=0|108=30', 'CompID problem'],
  ])('with %s is answered by a logout that says so, where refusals are explained', (_, text, reason) => {
    const peer = new Peer('', true);
    peer.connect();
    expect(peer.send(text)).toEqual([`35=5|34=1|58=${reason}`, 'disconnect']);
    expect(peer.logOn(1)).toEqual(['35=A|34=2|98=0|108=30']);
  });

  const LOGON = '35=A|34=1|98=0|108=30';
  it.each([
    ['EncryptMethod', LOGON.replace('98=0', '98=5'), 'EncryptMethod(98)=5 is not offered'],
    [
      'a HeartBtInt below zero',
      LOGON.replace('108=30', '108=-1'),
      'HeartBtInt(108) must be 0, for none, to 3600 seconds',
    ],
    ['a HeartBtInt of a day', LOGON.replace('108=30', '108=86400'), 'HeartBtInt(108) must be'],
    ['a HeartBtInt beyond all numbers', LOGON.replace('108=30', `108=${'9'.repeat(20)}`), 'HeartBtInt(108) must be'],
    ['a MaxMessageSize below what is sent', `${LOGON}|383=1048575`, 'MaxMessageSize(383) must be at least 1048576'],
    ['a MaxMessageSize below zero', `${LOGON}|383=-1`, 'MaxMessageSize(383) must be at least'],
    ['TestMessageIndicator N', `${LOGON}|464=N`, 'TestMessageIndicator(464)=N is wrong: this is a test environment'],
  ])('with terms that are not held is answered by a logout that says which: %s', (_, text, reason) => {
    const peer = new Peer('', true);
    peer.connect();
    const [logout, end] = peer.send(text);
    expect(logout).toContain(`35=5|34=1|58=${reason}`);
    expect(end).toBe('disconnect');
    expect(peer.logOn(1)).toEqual(['35=A|34=2|98=0|108=30']);
  });

  it('with terms that are not held resets no numbers, and ends a session that it would reset', () => {
    const peer = new Peer('', true);
    peer.logOn();
    const said = peer.send('35=A|34=1|98=2|108=30|141=Y');
    expect([said[0]?.slice(0, 9), said[1]]).toEqual(['35=5|34=2', 'disconnect']);
    expect(peer.logOn(2)).toEqual(['35=A|34=3|98=0|108=30']);
  });

  it.each(['383=1048576', '383=2000000000', '464=Y'])('with terms that are held is answered: %s', (field) => {
    expect(new Peer('', true).logOn(1, `|${field}`)).toEqual(['35=A|34=1|98=0|108=30']);
  });

  it('outside of the session period is answered by a logout that says so, where refusals are explained', () => {
    const peer = new Peer('08:00:00-11:00:00', true);
    peer.connect();
    const logon = '35=A|34=1|98=0|108=30';
    expect(peer.send(logon)).toEqual(['35=5|34=1|58=outside of the session period', 'disconnect']);
  });

  it.each([
    ['another message', '35=0|34=1'],
    ['another version', framed('FIX.4.2', '35=A\x0134=1\x0149=TW\x0156=ISLD\x01')],
  ])('that is %s ends the connection without a word, as FIX asks', (_, text) => {
    const peer = new Peer('', true);
    peer.connect();
    expect(text.startsWith('8=') ? peer.raw(text) : peer.send(text)).toEqual(['disconnect']);
  });

  it('of another version disconnects', () => {
    const peer = new Peer();
    peer.connect();
    expect(peer.raw(framed('FIX.4.2', '35=A\x0134=1\x0149=TW\x0156=ISLD\x01'))).toEqual(['disconnect']);
  });

  it('that is garbled disconnects', () => {
    const peer = new Peer();
    peer.connect();
    const frame = messageOf('35=A|34=1|98=0|108=30', NOON);
    expect(peer.raw(frame.replace(/10=\d+/, '10=999'))).toEqual(['disconnect']);
  });

  it('with ResetSeqNumFlag begins both sequences at 1, in the middle of a session too', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send('35=0|34=2');
    expect(peer.send('35=A|34=1|98=0|108=30|141=Y')).toEqual(['35=A|34=1|98=0|108=30|141=Y']);
    expect(peer.send('35=1|34=2|112=X')).toEqual(['35=0|34=2|112=X']);
  });

  it('with ResetSeqNumFlag is followed by what was sent while nobody was connected, under new numbers', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.say('told')).toEqual(['35=8|34=2|58=told']);
    peer.session.disconnect();
    peer.say('missed');
    expect(peer.logOn(1, '|141=Y')).toEqual(['35=A|34=1|98=0|108=30|141=Y', '35=8|34=2|58=missed']);
  });

  it.each([2, 5])('X-08: with ResetSeqNumFlag and MsgSeqNum %i is refused, and resets no numbers', (sequence) => {
    const text = `MsgSeqNum of a Logon with ResetSeqNumFlag must be 1, and is ${sequence}`;
    const peer = new Peer('', true);
    expect(peer.logOn(sequence, '|141=Y')).toEqual([`35=5|34=1|58=${text}`, 'disconnect']);
    const other = new Peer();
    other.logOn();
    other.send('35=0|34=2');
    expect(other.send(`35=A|34=${sequence}|98=0|108=30|141=Y`)).toEqual([`35=5|34=2|58=${text}`, 'disconnect']);
    expect(other.logOn(3)).toEqual(['35=A|34=3|98=0|108=30']);
  });
});

describe('sequence numbers', () => {
  it('too high ask once for what is missing, and what came early is processed in its turn', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send(order(4))).toEqual(['35=2|34=2|7=2|16=0']);
    expect(peer.send('35=1|34=5|112=Y')).toEqual([]);
    expect(peer.send(order(2, '43=Y|122=20261120-11:59:00|'))).toEqual(['deliver 2']);
    expect(peer.send('35=4|34=3|43=Y|122=20261120-11:59:00|123=Y|36=4')).toEqual(['deliver 4', '35=0|34=3|112=Y']);
  });

  it('too low end the session, unless the message is a possible duplicate', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send(order(2));
    expect(peer.send(order(2, '43=Y|122=20261120-11:59:00|'))).toEqual([]);
    expect(peer.send(order(2))).toEqual(['35=5|34=2|58=MsgSeqNum too low, expecting 3 but received 2', 'disconnect']);
  });

  it('of a possible duplicate that was not received before are processed', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send(order(2, '43=Y|122=20261120-11:59:00|'))).toEqual(['deliver 2']);
  });

  it('of a possible duplicate ask for an OrigSendingTime that is not after its SendingTime', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send(order(2));
    expect(peer.send(order(2, '43=Y|'))).toEqual(['35=3|34=2|45=2|58=Required tag missing|371=122|372=D|373=1']);
    expect(peer.send(order(2, '43=Y|122=20261120-12:00:10|'))).toEqual([
      '35=3|34=3|45=2|58=SendingTime accuracy problem|372=D|373=10',
      '35=5|34=4',
    ]);
  });
});

describe('sequence reset', () => {
  it('in gap fill mode moves forward in its turn', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send('35=4|34=2|36=20|123=Y');
    expect(peer.send('35=1|34=20|112=X')).toEqual(['35=0|34=2|112=X']);
  });

  it('in gap fill mode with a number too low ends the session, a possible duplicate is ignored', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send('35=0|34=2');
    expect(peer.send('35=4|34=2|43=Y|36=20|123=Y')).toEqual([]);
    expect(peer.send('35=4|34=2|36=20|123=Y').at(-1)).toBe('disconnect');
  });

  it('in reset mode moves forward whatever its number, and never back', () => {
    const peer = new Peer();
    peer.logOn();
    peer.send('35=4|34=0|36=25');
    expect(peer.send('35=1|34=25|112=X')).toEqual(['35=0|34=2|112=X']);
    expect(peer.send('35=4|34=0|36=10|123=N')).toEqual([
      '35=3|34=3|45=0|58=Value is incorrect (out of range) for this tag|372=4|373=5',
    ]);
    expect(peer.send('35=1|34=26|112=Y')).toEqual(['35=0|34=4|112=Y']);
  });
});

describe('resend request', () => {
  it('is answered with application messages as possible duplicates and gap fills for the rest', () => {
    const peer = new Peer();
    peer.logOn();
    peer.say('one');
    peer.send('35=1|34=2|112=X');
    peer.say('two');
    expect(peer.send('35=2|34=3|7=1|16=0')).toEqual([
      '35=4|34=1|43=Y|36=2|123=Y',
      '35=8|34=2|43=Y|58=one',
      '35=4|34=3|43=Y|36=4|123=Y',
      '35=8|34=4|43=Y|58=two',
    ]);
    expect(peer.send('35=2|34=4|7=3|16=3')).toEqual(['35=4|34=3|43=Y|36=4|123=Y']);
  });

  it('is answered after a restart, with the time at which the message was first sent', () => {
    const peer = new Peer();
    peer.logOn();
    peer.say('before');
    peer.restart();
    peer.now_ms += 60_000;
    expect(peer.logOn(2)).toEqual(['35=A|34=3|98=0|108=30']);
    const sent = peer.session.receive(messageOf('35=2|34=3|7=2|16=2', peer.now_ms), peer.now_ms);
    expect(sent.flatMap((effect) => (effect.type === 'send' ? effect.text : []))).toEqual([
      expect.stringContaining(
        '\x0143=Y\x0149=ISLD\x0152=20261120-12:01:00.000\x0156=TW\x01122=20261120-12:00:00.000\x01',
      ),
    ]);
  });

  it('is answered even when its own number is too high, and then what is missing is asked for', () => {
    const peer = new Peer();
    peer.logOn();
    peer.say('one');
    expect(peer.send('35=2|34=7|7=2|16=2')).toEqual(['35=8|34=2|43=Y|58=one', '35=2|34=3|7=2|16=0']);
  });
});

describe('heartbeats', () => {
  it('are sent when nothing else was for an interval, and answer test requests', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.after(29_000)).toEqual([]);
    peer.send('35=0|34=2');
    expect(peer.after(1_000)).toEqual(['35=0|34=2']);
    expect(peer.send('35=1|34=3|112=HELLO')).toEqual(['35=0|34=3|112=HELLO']);
  });

  it('missing are asked for by a test request, and their lasting absence ends the connection', () => {
    const peer = new Peer();
    peer.logOn();
    peer.after(30_000);
    expect(peer.after(6_000)).toEqual(['35=1|34=3|112=TEST']);
    expect(peer.after(30_000)).toEqual([]);
    expect(peer.after(6_000)).toEqual(['disconnect']);
  });

  it('are not sent when the interval is 0', () => {
    const peer = new Peer();
    peer.connect();
    peer.send('35=A|34=1|98=0|108=0');
    expect(peer.session.nextTickAt_ms).toBe(Number.POSITIVE_INFINITY);
    expect(peer.after(3_600_000)).toEqual([]);
  });
});

describe('logout', () => {
  it('is answered by a logout and the end of the connection', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send('35=5|34=2')).toEqual(['35=5|34=2', 'disconnect']);
  });

  it('of ours ends the connection when it is answered, or not answered in time', () => {
    const peer = new Peer();
    peer.logOn();
    expect(seen(peer.session.logout('closing', peer.now_ms))).toEqual(['35=5|34=2|58=closing']);
    expect(peer.send('35=5|34=2')).toEqual(['disconnect']);
    peer.logOn(3);
    peer.session.logout('closing', peer.now_ms);
    expect(peer.after(2_000)).toEqual(['disconnect']);
  });
});

describe('a garbled message is ignored', () => {
  const good = messageOf(order(2), NOON);
  const [begin, length, type, ...rest] = good.split('\x01');
  it.each([
    ['a wrong check sum', good.replace(/10=\d+/, '10=256')],
    ['a wrong body length', good.replace(/9=\d+/, '9=30')],
    ['a tag that is no number', good.replace('\x0111=', '\x011x1=')],
    ['fields before BeginString', `35=D\x01${good}`],
    ['BodyLength not second', [begin, type, length, ...rest].join('\x01')],
  ])('with %s, and its number is missing then', (_, frame) => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.raw(frame)).toEqual([]);
    expect(peer.send('35=0|34=3')).toEqual(['35=2|34=2|7=2|16=0']);
  });
});

describe('a message that is too long', () => {
  /** What the framer keeps of it. */
  const cut = (sequence: number) =>
    messageOf(`35=D|34=${sequence}|58=${'x'.repeat(20)}`, NOON)
      .replace(/9=\d+/, '9=2000000')
      .replace(/58=x+.*/s, '');

  it('is refused and counts as received: it is not asked for again', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.raw(cut(2))).toEqual([
      '35=3|34=2|45=2|58=The message is too long: it was passed over|371=9|372=D|373=99',
    ]);
    expect(peer.send('35=1|34=3|112=NEXT')).toEqual(['35=0|34=3|112=NEXT']);
  });

  it('that comes early is refused in its turn', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.raw(cut(3))).toEqual(['35=2|34=2|7=2|16=0']);
    expect(peer.send(order(2, '43=Y|122=20261120-11:59:00|'))).toEqual([
      'deliver 2',
      '35=3|34=3|45=3|58=The message is too long: it was passed over|371=9|372=D|373=99',
    ]);
  });

  it('is no logon', () => {
    const peer = new Peer();
    peer.connect();
    expect(peer.raw(cut(1).replace('35=D', '35=A'))).toEqual(['disconnect']);
  });
});

describe('a message that breaks a rule is rejected with the reason and the tag', () => {
  const group = (text: string) => `35=D|34=2|11=ID|40=1|54=1|55=INTC|60=20261120-12:00:00|${text}`;
  it.each([
    ['a tag that is not defined', '35=0|34=2|999=HI', '58=Invalid tag number|371=999|372=0|373=0'],
    ['a tag of 0', '35=0|34=2|0=HI', '58=Invalid tag number|371=0|372=0|373=0'],
    ['a negative tag', '35=0|34=2|-1=HI', '58=Invalid tag number|371=-1|372=0|373=0'],
    [
      'a required tag that is missing',
      '35=D|34=2|11=ID|54=1|55=INTC|60=20261120-12:00:00',
      '58=Required tag missing|371=40|372=D|373=1',
    ],
    [
      'an order without its symbol',
      '35=D|34=2|11=ID|40=1|54=1|60=20261120-12:00:00',
      '58=Required tag missing|371=55|372=D|373=1',
    ],
    ['a tag of other messages', '35=0|34=2|55=MSFT', '58=Tag not defined for this message type|371=55|372=0|373=2'],
    ['a tag without a value', '35=0|34=2|56=', '58=Tag specified without a value|371=56|372=0|373=4'],
    ['a value out of range', group('21=4'), '58=Value is incorrect (out of range) for this tag|371=21|372=D|373=5'],
    ['a quantity with a plus sign', group('38=+200.00'), '58=Incorrect data format for value|371=38|372=D|373=6'],
    ['a time that is a date', group('126=20040415'), '58=Incorrect data format for value|371=126|372=D|373=6'],
    [
      'a header field in the body',
      '35=D|11=id|40=1|54=1|55=MSFT|60=20261120-12:00:00|34=2',
      '58=Tag specified out of required order|371=34|372=D|373=14',
    ],
    ['a tag twice', group('38=1|38=2'), '58=Tag appears more than once|371=38|372=D|373=13'],
    [
      'a group with a wrong count',
      group('386=3|336=PRE-OPEN|336=AFTER-HOURS'),
      '58=Incorrect NumInGroup count for repeating group|371=386|372=D|373=16',
    ],
    [
      'a group whose entry lacks its first field',
      group('386=1|625=X|336=PRE-OPEN'),
      '58=Incorrect NumInGroup count for repeating group|371=386|372=D|373=16',
    ],
    [
      'group fields out of order',
      group('453=1|448=A|452=3|447=D'),
      '58=Repeating group fields out of order|371=447|372=D|373=15',
    ],
    ['an unknown message type', '35=*|34=2', '58=Invalid MsgType|372=*|373=11'],
  ])('%s', (_, text, rejection) => {
    const peer = new Peer();
    peer.logOn();
    const moved = text.startsWith('35=D|11=id');
    const frame = moved
      ? framed('FIX.4.4', `${text.replaceAll('|', '\x01')}\x0149=TW\x0152=${writeTimestamp(NOON)}\x0156=ISLD\x01`)
      : messageOf(text, NOON);
    expect(peer.raw(frame)).toEqual([`35=3|34=2|45=2|${rejection}`]);
    expect(peer.send('35=1|34=3|112=NEXT')).toEqual(['35=0|34=3|112=NEXT']);
  });

  it.each([
    ['a wrong SenderCompID', `${order(2)}|49=WT`, '58=CompID problem|372=D|373=9'],
    ['a sending time too far off', `${order(2)}|52=20261120-11:00:00`, '58=SendingTime accuracy problem|372=D|373=10'],
  ])('%s, and the session ends', (_, text, rejection) => {
    const peer = new Peer();
    peer.logOn();
    const [type = '', ...rest] = text.split('|');
    const override = rest.pop() ?? '';
    expect(peer.send([type, override, ...rest].join('|'))).toEqual([`35=3|34=2|45=2|${rejection}`, '35=5|34=3']);
    expect(peer.send('35=5|34=3')).toEqual(['disconnect']);
  });

  it('of another BeginString ends the session', () => {
    const peer = new Peer();
    peer.logOn();
    const frame = framed('FIX.4.3', `35=0\x0134=2\x0149=TW\x0152=${writeTimestamp(NOON)}\x0156=ISLD\x01`);
    expect(peer.raw(frame)).toEqual(['35=5|34=2|58=Incorrect BeginString']);
    expect(peer.send('35=5|34=3')).toEqual(['disconnect']);
  });

  it('goes back the way it came', () => {
    const peer = new Peer();
    peer.logOn();
    const text = '35=D|34=2|115=JCD|116=CS|144=BB|11=ID|21=9|40=1|54=1|55=INTC|60=20261120-12:00:00';
    expect(peer.send(text)).toEqual([
      '35=3|34=2|128=JCD|129=CS|145=BB|45=2|58=Value is incorrect (out of range) for this tag|371=21|372=D|373=5',
    ]);
  });
});

describe('application messages', () => {
  it('of a type that is not taken are answered by a business message reject', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send('35=1|34=2|112=A')).toHaveLength(1);
    const report = '35=8|34=3|37=id|17=id|150=0|39=0|55=W|54=1|151=1|14=0|6=0';
    expect(peer.send(report)).toEqual(['35=j|34=3|45=3|58=Unsupported Message Type|372=8|380=3']);
  });

  it('are delivered once, and stand in the store until they are answered, over a restart', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send(order(2))).toEqual(['deliver 2']);
    expect(peer.send(order(3))).toEqual(['deliver 3']);
    peer.store.recordAnswered(2);
    peer.restart();
    expect(peer.store.unanswered.map(([sequence]) => sequence)).toEqual([3]);
    expect(peer.store.nextTarget).toBe(4);
  });

  it('may have groups without entries', () => {
    const peer = new Peer();
    peer.logOn();
    expect(peer.send(`${order(2)}|386=0`)).toEqual(['deliver 2']);
  });
});

describe('the schedule', () => {
  it('refuses a logon outside of it, and logs out at its end', () => {
    const peer = new Peer('08:00:00-13:00:00');
    peer.logOn();
    peer.now_ms = Date.UTC(2026, 10, 20, 13);
    expect(peer.after(0)).toEqual(['35=5|34=2|58=the session period has ended']);
    peer.session.disconnect();
    peer.connect();
    expect(peer.send('35=A|34=2|98=0|108=30')).toEqual(['disconnect']);
  });

  it('begins sequence numbers at 1 in each period, across midnight too', () => {
    const peer = new Peer('22:00:00-21:00:00');
    peer.logOn();
    peer.say('old');
    peer.session.disconnect();
    peer.now_ms = Date.UTC(2026, 10, 20, 20, 59);
    peer.connect();
    expect(peer.store.nextSender).toBe(3);
    peer.session.disconnect();
    peer.now_ms = Date.UTC(2026, 10, 20, 22, 1);
    expect(peer.logOn(1)).toEqual(['35=A|34=1|98=0|108=30']);
  });
});
