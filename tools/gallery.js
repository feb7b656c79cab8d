"use strict";
// One sound at a time; a line runs over its pictures; a click on them goes there.
(function () {
  var current = null;

  function setup(article) {
    var audio = article.querySelector("audio"), plots = article.querySelector(".plots");
    if (!audio) return;
    var seconds = parseFloat(plots.dataset.seconds), head = plots.querySelector(".head");
    var clock = article.querySelector(".clock"), whole = clock.textContent, wanted = null;
    var card = document.querySelector('.index a[href="#' + article.id + '"]').parentNode;
    var buttons = document.querySelectorAll("#" + article.id + ' .toggle, .toggle[data-for="' + article.id + '"]');

    function show() {
      var t = wanted !== null ? wanted : audio.currentTime;
      head.style.left = 100 * Math.min(1, t / seconds) + "%";
      clock.textContent = t.toFixed(1) + " / " + whole;
      plots.setAttribute("aria-valuenow", t.toFixed(2));
      if (!audio.paused) requestAnimationFrame(show);
    }
    function seek(t) {
      t = Math.max(0, Math.min(seconds, t));
      plots.classList.add("live");
      if (audio.readyState > 0) audio.currentTime = t;
      else wanted = t; // not loaded yet
      show();
    }
    function toggle() {
      if (!audio.paused) return audio.pause();
      if (current && current !== audio) current.pause();
      current = audio;
      audio.play();
    }
    function state() {
      buttons.forEach(function (b) { b.classList.toggle("playing", !audio.paused); });
      card.classList.toggle("on", !audio.paused);
      if (!audio.paused) plots.classList.add("live");
      show();
    }
    audio.addEventListener("loadedmetadata", function () {
      if (wanted !== null) audio.currentTime = wanted;
      wanted = null;
    });
    ["play", "pause", "ended"].forEach(function (name) { audio.addEventListener(name, state); });
    buttons.forEach(function (b) { b.addEventListener("click", toggle); });
    plots.addEventListener("click", function (event) {
      var box = plots.getBoundingClientRect();
      seek((event.clientX - box.left) / box.width * seconds);
      if (audio.paused) toggle();
    });
    plots.tabIndex = 0;
    plots.setAttribute("role", "slider");
    plots.setAttribute("aria-label", "Time");
    plots.setAttribute("aria-valuemin", "0");
    plots.setAttribute("aria-valuemax", seconds);
    plots.setAttribute("aria-valuenow", "0");
    plots.addEventListener("keydown", function (event) {
      var t = wanted !== null ? wanted : audio.currentTime;
      if (event.key === "ArrowRight") seek(t + seconds / 40);
      else if (event.key === "ArrowLeft") seek(t - seconds / 40);
      else if (event.key === " " || event.key === "Enter") toggle();
      else return;
      event.preventDefault();
    });
  }
  document.querySelectorAll("article").forEach(setup);

  // Where the page lies beside the gallery (web/gallery.mjs says so), every scene can be touched there.
  var page = document.documentElement.dataset.page;
  if (page && /^http/.test(location.protocol)) {
    fetch(new URL("scenes.json", new URL(page, location))).then(function (answer) { return answer.ok ? answer.json() : []; }).then(function (scenes) {
      scenes.forEach(function (scene) {
        var head = document.querySelector('article[data-scene="' + scene.name + '"] header'), link = document.createElement("a");
        link.className = "touch";
        link.href = page + "#scene=" + encodeURIComponent(scene.name);
        link.textContent = "touch it, change it";
        if (head) head.appendChild(link);
      });
    }).catch(function () { /* there is no page */ });
  }

  document.querySelector(".theme").addEventListener("click", function () {
    var root = document.documentElement;
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("sistrum-theme", root.dataset.theme); } catch (e) { /* a file may have no storage */ }
  });
})();
