import { useState } from "react";

import { RuleSelect } from "../cases/rule.tsx";
import AnswerSelect from "../team/choose.tsx";
import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { ErasePerson, ExportPerson, GrantRole, type Me, type PersonWhole, ReinstatePerson, RevokeRole, SignOutPerson, SuspendPerson } from "../operations.ts";
import { go, to } from "../route.ts";
import { ask } from "../server.ts";
import { Dialog, FormDialog } from "../ui/dialog.tsx";
import { Button, Checkbox, Field, Select } from "../ui/forms.tsx";
import { say } from "../ui/states.tsx";
import { at, nameOf } from "../words.ts";
import type { Person } from "./person.tsx";

type Deed = "suspend" | "reinstate" | "sign out" | "export" | "erase" | "grant" | "revoke";

interface Props {
  person: Person;
  me: Me;
  put: (next: PersonWhole) => void;
}

/** What can be done about a person, as far as the role of the caller allows it. */
export function Actions({ person, me, put }: Props) {
  const [deed, setDeed] = useState<Deed>();
  const close = () => setDeed(undefined);
  const self = person.id === me.userId;
  const operator = me.role === "OPERATOR";
  const offered: [Deed, string, boolean][] = [
    ["suspend", person.suspension ? "Change suspension" : "Suspend", members.has("Mutation.suspendPerson") && !self && person.role !== "OPERATOR"],
    ["reinstate", "Reinstate", members.has("Mutation.reinstatePerson") && (Boolean(person.suspension) || person.status === "DISABLED")],
    ["sign out", "Sign out", members.has("Mutation.signOutPerson")],
    ["grant", "Make moderator", operator && !person.role],
    ["revoke", "Revoke role", operator && person.role === "MODERATOR" && !self],
    ["export", "Export", operator && members.has("Mutation.exportPerson")],
    ["erase", "Erase", operator && members.has("Mutation.erasePerson") && !self],
  ];
  return (
    <div className="chips" role="group" aria-label="Actions">
      {offered.filter(([, , possible]) => possible).map(([id, title]) => (
        <Button key={id} look={id === "suspend" || id === "erase" ? "bad" : "quiet"} onPress={() => setDeed(id)}>{title}</Button>
      ))}
      {deed === "suspend" && <Suspend person={person} put={put} onClose={close} />}
      {deed === "reinstate" && <Reinstate person={person} put={put} onClose={close} />}
      {deed === "export" && <Export person={person} onClose={close} />}
      {deed === "erase" && <Erase person={person} onClose={close} />}
      {deed === "sign out" && (
        <FormDialog title={`Sign ${nameOf(person)} out`} action="Sign out everywhere" onClose={close} submit={async () => {
          put((await ask(SignOutPerson, { id: person.id })).signOutPerson);
          say(`${nameOf(person)} is signed out on every device.`);
        }}>
          <p>All sessions end at once, on every device. They can sign in again.</p>
        </FormDialog>
      )}
      {deed === "grant" && (
        <FormDialog title={`Make ${nameOf(person)} a moderator`} action="Make moderator" onClose={close} submit={async () => {
          put((await ask(GrantRole, { id: person.id })).grantRole);
          say(`${nameOf(person)} is a moderator now.`);
        }}>
          <p>They can decide cases and suspend people, here and in the apps.</p>
        </FormDialog>
      )}
      {deed === "revoke" && (
        <FormDialog title={`Revoke the role of ${nameOf(person)}`} action="Revoke role" look="bad" onClose={close} submit={async () => {
          put((await ask(RevokeRole, { id: person.id })).revokeRole);
          say(`${nameOf(person)} is no longer a moderator.`);
        }}>
          <p>The role ends within two seconds, even in a console that is open.</p>
        </FormDialog>
      )}
    </div>
  );
}

interface DeedProps {
  person: Person;
  put: (next: PersonWhole) => void;
  onClose: () => void;
}

const day = 86_400_000;
const terms = [
  { id: "1", text: "A day" }, { id: "7", text: "A week" }, { id: "30", text: "30 days" }, { id: "", text: "Until reinstated" }, { id: "date", text: "Until a time" },
];

function Suspend({ person, put, onClose }: DeedProps) {
  const [reason, setReason] = useKept(`suspend.${person.id}`, person.suspension?.reason ?? "");
  const [term, setTerm] = useState("7");
  const [date, setDate] = useState("");
  const [ban, setBan] = useState(false);
  const [rule, setRule] = useState("");
  const submit = async () => {
    const until = term === "date" ? new Date(date) : term ? new Date(Date.now() + Number(term) * day) : null;
    put((await ask(SuspendPerson, { id: person.id, reason, until: until?.toISOString() ?? null, banContacts: ban, rule: rule || null })).suspendPerson);
    setReason(person.suspension?.reason ?? "");
    say(`${nameOf(person)} is suspended${until ? ` until ${at(until.getTime())}` : ""}.`);
  };
  return (
    <FormDialog title={person.suspension ? `Change the suspension of ${nameOf(person)}` : `Suspend ${nameOf(person)}`} action="Suspend" look="bad" ready={Boolean(reason.trim()) && (term !== "date" || Boolean(date))} submit={submit} onClose={onClose}>
      <Field label="Reason" value={reason} onChange={setReason} lines={2} focus required maxLength={500} hint="They read it when they sign in." />
      <AnswerSelect text={reason} onChange={setReason} limit={500} />
      <Select label="For how long" value={term} onChange={setTerm} options={terms} />
      {term === "date" && <Field label="Until" type="datetime-local" value={date} onChange={setDate} required />}
      <RuleSelect value={rule} onChange={setRule} />
      <Checkbox value={ban} onChange={setBan}>Also ban the e-mail address, phone number and device</Checkbox>
    </FormDialog>
  );
}

function Reinstate({ person, put, onClose }: DeedProps) {
  const [note, setNote] = useKept(`reinstate.${person.id}`, "");
  const submit = async () => {
    put((await ask(ReinstatePerson, { id: person.id, note: note || null })).reinstatePerson);
    setNote("");
    say(`${nameOf(person)} is reinstated.`);
  };
  return (
    <FormDialog title={`Reinstate ${nameOf(person)}`} action="Reinstate" submit={submit} onClose={onClose}>
      <p>They can sign in again, and bans of their contacts and devices end.</p>
      <Field label="Note" value={note} onChange={setNote} lines={2} maxLength={1000} hint="For colleagues, in the audit log." />
    </FormDialog>
  );
}

function Export({ person, onClose }: { person: Person; onClose: () => void }) {
  const [reason, setReason] = useKept(`export.${person.id}`, "");
  const [made, setMade] = useState<{ url: string; expiresAt: string }>();
  if (made) {
    return (
      <Dialog title="The export is ready" onClose={onClose}>
        <div className="stack">
          <p>The link works once, until {at(made.expiresAt)}. The ZIP opens in any browser by its <code>index.html</code>.</p>
          <div className="actions"><Button look="quiet" onPress={onClose}>Close</Button><a className="button primary" href={new URL(made.url, location.href).href} download>Download</a></div>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog title={`Export the data of ${nameOf(person)}`} action="Export" ready={Boolean(reason.trim())} onClose={onClose} submit={async () => {
      const { exportPerson } = await ask(ExportPerson, { id: person.id, reason });
      setReason("");
      setMade(exportPerson);
      return false;
    }}>
      <p>A ZIP of everything that this person wrote or that is stored about them, to hand to them. At most once an hour.</p>
      <Field label="Reason" value={reason} onChange={setReason} lines={2} focus required maxLength={500} hint="For the audit log." />
    </FormDialog>
  );
}

function Erase({ person, onClose }: { person: Person; onClose: () => void }) {
  const [reason, setReason] = useKept(`erase.${person.id}`, "");
  const [typed, setTyped] = useState("");
  const word = person.username ?? person.id;
  const submit = async () => {
    await ask(ErasePerson, { id: person.id, reason });
    setReason("");
    say(`${nameOf(person)} is erased.`);
    go(to(["people"]));
  };
  return (
    <FormDialog title={`Erase ${nameOf(person)}`} action="Erase for good" look="bad" ready={Boolean(reason.trim()) && typed.trim() === word} submit={submit} onClose={onClose}>
      <p>Deletes their account, profiles and everything they wrote, in every system. <b>This cannot be undone.</b></p>
      <Field label="Reason" value={reason} onChange={setReason} lines={2} focus required maxLength={500} hint="For the audit log." />
      <Field label={`Type ${word} to confirm`} value={typed} onChange={setTyped} required mono />
    </FormDialog>
  );
}
