import { type FormEvent, useState } from "react";

import { act, say } from "../act.ts";
import { graphql } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useMe } from "../me.ts";
import { jpegOf } from "../picture.ts";
import { explain, stoa } from "../server.ts";
import { applyTheme, type Theme, theme } from "../theme.ts";
import { Avatar, Head } from "../ui.tsx";

const Save = graphql(`
  mutation Save($fullName: String, $bio: String, $privacyStatus: PrivacyStatus) {
    setUserDetails(fullName: $fullName, bio: $bio, privacyStatus: $privacyStatus) { userId fullName bio privacyStatus }
  }
`);
const Photo = graphql(`mutation Photo($postId: ID!) { setUserDetails(photoPostId: $postId) { userId photo { url64p } } }`);

export function SettingsScreen() {
  const me = useMe();
  const [fullName, setFullName] = useState(me.fullName ?? "");
  const [bio, setBio] = useState(me.bio ?? "");
  const [hidden, setHidden] = useState(me.privacyStatus === "PRIVATE");
  const [colors, setColors] = useState(theme);
  const [progress, setProgress] = useState<number | null>(null);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await act(Save, { fullName, bio, privacyStatus: hidden ? "PRIVATE" : "PUBLIC" })) say("Saved.");
  };
  const changePhoto = async (file: File | undefined) => {
    if (!file) return;
    setProgress(0);
    try {
      const post = { text: "My new picture", likesDisabled: false, imageInput: { takenInReal: true } }; // only a real picture can be a profile's
      const { postId } = await stoa.upload(post, await jpegOf(file), (sent, total) => setProgress(sent / total));
      if (await act(Photo, { postId })) say("That suits you.");
    } catch (error) {
      say(explain(error));
    }
    setProgress(null);
  };
  const signOut = async () => {
    stoa.close();
    await stoa.session.signOut();
    location.assign("/");
  };

  return (
    <main>
      <Head title="Settings" back />
      <form className="settings" onSubmit={save}>
        <div className="photo">
          <Avatar of={me} />
          <label className="quiet button">
            <Icon name="picture" /> Change picture
            <input type="file" accept="image/*" className="hidden" onChange={(event) => void changePhoto(event.target.files?.[0])} />
          </label>
          {progress !== null && <progress aria-label="Upload" value={progress} />}
        </div>
        <label>Name<input value={fullName} autoComplete="name" onChange={(event) => setFullName(event.target.value)} /></label>
        <label>About you<textarea rows={3} value={bio} onChange={(event) => setBio(event.target.value)} /></label>
        <label className="check">
          <input type="checkbox" checked={hidden} onChange={(event) => setHidden(event.target.checked)} />
          <span>Private account<small>People must ask before they can follow you and see your posts.</small></span>
        </label>
        <button className="primary">Save</button>
      </form>
      <fieldset className="settings themes">
        <legend>Colors</legend>
        {(["system", "light", "dark"] as Theme[]).map((choice) => (
          <label key={choice} className="check">
            <input type="radio" name="theme" checked={colors === choice} onChange={() => (setColors(choice), applyTheme(choice))} />
            <span>{{ system: "As this device", light: "Light", dark: "Dark" }[choice]}</span>
          </label>
        ))}
      </fieldset>
      <div className="settings"><button className="quiet" onClick={() => void signOut()}>Sign out</button></div>
    </main>
  );
}
