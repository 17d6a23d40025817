// Asks for the images of other hosts once more, as images that may be read; returns how many are on their way.
(() => {
  const isElsewhere = (image) => /^https?:/.test(image.currentSrc) && new URL(image.currentSrc).origin !== location.origin;
  const elsewhere = [...document.images].filter((image) => image.complete && image.naturalWidth > 0 && isElsewhere(image));
  globalThis.unchaffReadable = new Map(elsewhere.slice(0, 500).map((image) => {
    const readable = new Image();
    readable.crossOrigin = "anonymous";
    readable.src = image.currentSrc;
    return [image, readable];
  }));
  return unchaffReadable.size;
})()
