// Only in builds for tests: lets a page of the test ask the background as the panel does.
addEventListener('message', async ({ data, source }) => {
  if (source !== window || !data?.ask) return;
  postMessage({ answer: await chrome.runtime.sendMessage({ to: 'background', ...data.ask }) }, '*');
});
