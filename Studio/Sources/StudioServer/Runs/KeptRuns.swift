import Foundation

/// The kept runs, as files in a folder of the user's cache: a JSON file for each run, and a recording if one was made.
struct KeptRuns: Sendable {
  let folder: URL

  /// The number of runs kept; older ones are removed.
  private static let limit = 200
  /// The number of runs whose recordings are kept.
  private static let recordingLimit = 30
  /// The number of loaded stores that are kept for later runs.
  private static let storeLimit = 3

  init(_ folder: URL) { self.folder = folder.standardizedFileURL }

  var recordings: URL { folder.appendingPathComponent("recordings") }
  var stores: URL { folder.appendingPathComponent("stores") }

  func recording(of id: String) -> URL { recordings.appendingPathComponent("\(id).cdrec") }

  /// The runs, the latest first.
  struct List: Sendable {
    var runs: [RunRecord] = []
    /// The names of files that are no runs, or that are damaged.
    var unreadable: [String] = []
  }

  func all() -> List {
    var list = List()
    for name in names.reversed() {
      if let run = read(name) { list.runs.append(run) } else { list.unreadable.append(name) }
    }
    return list
  }

  /// - Throws: A `StudioError` if there is no such run, or if it is damaged.
  func run(_ id: String?) throws -> RunRecord {
    // Only names of files in the folder are accepted: no path comes from a browser.
    guard let id, let name = names.first(where: { $0 == "\(id).json" }) else {
      throw StudioError.notFound("There is no such run, or it was removed.")
    }
    guard let run = read(name) else {
      throw StudioError(
        .unprocessableContent, "The run cannot be read",
        "\(folder.appendingPathComponent(name).path) is damaged, or of another version of the studio. Remove it.")
    }
    return run
  }

  /// The names of the files in the order of time, because each name begins with a time.
  private var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { $0.hasSuffix(".json") }.sorted()
  }

  private func read(_ name: String) -> RunRecord? {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
      let run = try? JSONDecoder().decode(RunRecord.self, from: data),
      run.version == RunRecord.currentVersion, "\(run.id).json" == name
    else { return nil }
    return run
  }

  // MARK: Changes

  /// Returns a name for a run that begins at `date`. Names sort by time, to a millisecond. A run takes longer than that,
  /// because it starts a process, and only one run takes place at a time.
  static func newID(_ date: Date) -> String {
    let time = date.formatted(
      .verbatim(
        "\(year: .defaultDigits)\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)\(secondFraction: .fractional(3))",
        timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    return "\(time)-\(String(UInt32.random(in: 46_656 ... 1_679_615), radix: 36))"
  }

  /// Makes the folders, which only the user may open.
  func prepare() throws {
    for place in [folder, recordings, stores] {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  func keep(_ run: RunRecord) throws {
    try prepare()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try encoder.encode(run).write(to: folder.appendingPathComponent("\(run.id).json"), options: .atomic)
    for name in names.dropLast(Self.limit) { remove(String(name.dropLast(5))) }
    removeOldest(in: recordings, but: Self.recordingLimit)
  }

  func remove(_ id: String) {
    // It does not matter if a file was removed already.
    try? FileManager.default.removeItem(at: recording(of: id))
    try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(id).json"))
  }

  /// Returns the place of the store with the data of a test. If the store does not exist yet, the oldest ones are removed to
  /// make room.
  func store(_ name: String) -> URL {
    let url = stores.appendingPathComponent("\(name).sqlite")
    if !FileManager.default.fileExists(atPath: url.path) { removeOldest(in: stores, but: Self.storeLimit - 1) }
    return url
  }

  static func removeStore(_ url: URL) {
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + ending) }
  }

  private func removeOldest(in place: URL, but count: Int) {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: place, includingPropertiesForKeys: [.contentModificationDateKey], options: .skipsHiddenFiles)) ?? []
    let dated = files.filter { ["cdrec", "sqlite"].contains($0.pathExtension) }.map { url in
      (url, (try? url.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate ?? .distantPast)
    }
    for (url, _) in dated.sorted(by: { $0.1 < $1.1 }).dropLast(count) { Self.removeStore(url) }
  }
}
