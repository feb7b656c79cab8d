// The stage and the charts as one PNG file.

/** @param {object} app @returns {Promise<Blob>} */
export function compose(app) {
  const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue(`--${name}`).trim();
  const stage = app.stage.canvas, dense = app.stage.dense, width = stage.width, charts = (app.charts?.() ?? []).filter((c) => c.canvas.clientWidth > 0);
  const space = 16 * dense, head = 44 * dense, fit = Math.max(Math.floor(width / dense / 210), 1);
  const columns = fit >= charts.length ? charts.length || 1 : Math.min(fit, 2), wide = (width - space * (columns - 1)) / columns, rows = [];
  for (let i = 0; i < charts.length; i += columns) rows.push(charts.slice(i, i + columns));
  const high = (c) => (wide * c.canvas.height) / c.canvas.width + 22 * dense;
  const canvas = document.createElement("canvas"), ctx = canvas.getContext("2d");
  canvas.width = width + 2 * space;
  canvas.height = head + stage.height + space + rows.reduce((sum, row) => sum + Math.max(...row.map(high)) + space, 0);
  ctx.fillStyle = get("paper");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.fillStyle = get("ink");
  ctx.font = `600 ${20 * dense}px Charter, "Iowan Old Style", Georgia, serif`;
  ctx.fillText(`${app.scene?.title ?? "Sistrum"}`, space, 30 * dense);
  ctx.font = `${12 * dense}px system-ui, sans-serif`;
  ctx.fillStyle = get("soft");
  ctx.textAlign = "right";
  ctx.fillText(`${(app.stage.frame?.time ?? 0).toFixed(5)} s   Sistrum`, canvas.width - space, 30 * dense);
  ctx.textAlign = "left";
  ctx.fillStyle = get("card");
  ctx.fillRect(space, head, width, stage.height);
  ctx.drawImage(stage, space, head);
  let y = head + stage.height + space;
  for (const row of rows) {
    row.forEach((c, n) => {
      const x = space + n * (wide + space);
      ctx.fillStyle = get("soft");
      ctx.fillText(c.title, x, y + 13 * dense);
      ctx.fillStyle = get("card");
      ctx.fillRect(x, y + 20 * dense, wide, high(c) - 22 * dense);
      ctx.drawImage(c.canvas, x, y + 20 * dense, wide, high(c) - 22 * dense);
    });
    y += Math.max(...row.map(high)) + space;
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Offers it as a download. */
export async function save(app) {
  const blob = await compose(app), link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${(app.scene?.name ?? "sistrum").replace(/.*\//, "").replace(/\.lua$/, "")}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  app.emit("say", `${link.download} is in your downloads.`);
}
