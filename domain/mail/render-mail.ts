import { type MailKind, type MailLanguage, ruleOfMail } from './mail-kinds.ts';
import { LAST_MAIL, MAIL_FOOTERS, type MailText, mailText } from './mail-texts.ts';

/** A mail as a provider takes it. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Beside those that the provider sets. */
  readonly headers: Readonly<Record<string, string>>;
}

interface MailTerms {
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly facts: Readonly<Record<string, string>>;
  /** Address that ends mails of this kind; null where they cannot be ended. */
  readonly unsubscribe: string | null;
  /** Whether no other of its kind follows, as its reader has had so many. */
  readonly isLast?: boolean;
}

/** Text and HTML of one template. The HTML asks for nothing from elsewhere: no picture, no font, no script. */
export function renderMail({ kind, language, facts, unsubscribe, isLast }: MailTerms): RenderedMail {
  const text = mailText(kind, language, facts);
  const said = isLast === true ? { ...text, lines: [...text.lines, LAST_MAIL[language]] } : text;
  const footer = { said: MAIL_FOOTERS[language][ruleOfMail(kind).class], unsubscribe };
  return {
    subject: said.subject,
    text: plain(said, language, footer),
    html: markup(said, language, footer),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe === null
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  };
}

interface Footer {
  readonly said: string;
  readonly unsubscribe: string | null;
}

function plain({ title, lines, code, details }: MailText, language: MailLanguage, footer: Footer): string {
  const parts = [
    title,
    ...(code === null ? [] : [`    ${code}`]),
    ...lines,
    ...(details.length === 0 ? [] : [details.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    `-- \n${footer.said}${footer.unsubscribe === null ? '' : `\n${MAIL_FOOTERS[language].unsubscribe}: ${footer.unsubscribe}`}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Colours follow the reader's; a mail program that knows no `prefers-color-scheme` shows the light ones. */
const STYLE_SHEET = `:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; background: #fff; color: #1a1a1a; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 480px; margin: 0 auto; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.25; }
p { margin: 0 0 16px; }
.code { padding: 12px; border: 1px solid #767676; border-radius: 6px; font: 600 28px/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 4px; text-align: center; }
dl { margin: 0 0 16px; } dt { color: #555; font-size: 14px; } dd { margin: 0 0 8px; font-weight: 600; font-variant-numeric: tabular-nums; }
footer { border-top: 1px solid #ccc; padding-top: 12px; color: #555; font-size: 13px; }
a { color: #0b5cad; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #eee; } dt, footer { color: #b5b5b5; } footer { border-color: #44484f; } .code { border-color: #8a8f98; } a { color: #8ab8f0; }
}`;

function markup({ title, lines, code, details }: MailText, language: MailLanguage, footer: Footer): string {
  const rows = details.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('');
  const link =
    footer.unsubscribe === null
      ? ''
      : ` <a href="${escaped(footer.unsubscribe)}">${escaped(MAIL_FOOTERS[language].unsubscribe)}</a>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${STYLE_SHEET}</style></head>
<body><main><h1>${escaped(title)}</h1>
${code === null ? '' : `<p class="code">${escaped(code)}</p>\n`}${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${rows === '' ? '' : `<dl>${rows}</dl>\n`}<footer>${escaped(footer.said)}${link}</footer></main></body></html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
