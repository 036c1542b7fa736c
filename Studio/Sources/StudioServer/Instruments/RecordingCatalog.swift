import CommandSupport
import CoreDataTools
import Foundation

/// All recordings of the studio: those named at the start, those in the named folders, those that were started on the pages of
/// running programs, and those of test runs. A program
/// that is started with COREDATA_INSTRUMENTS in one of the folders is found by its growing file.
struct RecordingCatalog: Sendable {
  struct Entry: Sendable {
    /// The name of the recording in addresses.
    let name: String
    let url: URL
    /// The size of the file; nil if the file was removed.
    let size: Int?
    let modified: Date
    /// Whether the recording is of a test run.
    let isOfRun: Bool

    /// Whether a program is writing the recording: a running program writes several times a second.
    var isGrowing: Bool { size != nil && Date().timeIntervalSince(modified) < RecordingCatalog.patience }
  }

  /// The number of seconds without a change after which a recording is regarded as finished.
  static let patience = 3.0
  /// The number of files of a folder that are listed, the latest first.
  private static let limit = 500

  private let named: [URL]
  private let runs: URL
  private let watched: URL

  /// - Parameter watched: The folder of recordings that were started on the pages of running programs.
  init(_ named: [URL], runs: URL, watched: URL) {
    (self.named, self.runs, self.watched) = (named, runs.standardizedFileURL, watched.standardizedFileURL)
  }

  /// The catalog of a studio.
  init(_ settings: StudioSettings) {
    self.init(
      settings.recordings, runs: KeptRuns(settings.runs).recordings,
      watched: settings.runs.appendingPathComponent("watched"))
  }

  /// Returns a file for the recording of a running program; makes its folder.
  func newFile(_ name: String) throws -> URL {
    try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
    let time = Date().formatted(Date.ISO8601FormatStyle(dateSeparator: .dash, timeSeparator: .omitted))
    return watched.appendingPathComponent("\(name)-\(time).cdrec")
  }

  /// Folders in which a program may put its recording.
  var folders: [URL] { named.filter(Self.isFolder) }

  func all() -> [Entry] {
    var names: Set<String> = []
    let files = named.flatMap { Self.isFolder($0) ? Self.recordings(in: $0) : [$0] }.map { ($0, false) }
    let started = Self.isFolder(watched) ? Self.recordings(in: watched).map { ($0, false) } : []
    return (files + started + Self.recordings(in: runs).map { ($0, true) }).map { url, isOfRun in
      let base = url.lastPathComponent
      var name = base, number = 2
      while !names.insert(name).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      let facts = Self.facts(url)
      return Entry(
        name: name, url: url, size: facts?.size, modified: facts?.modified ?? .distantPast, isOfRun: isOfRun)
    }
  }

  /// - Throws: A `StudioError` for a recording that is neither named nor in a named folder.
  func named(_ name: String?) throws -> Entry {
    guard let entry = all().first(where: { $0.name == name }) else {
      throw StudioError.notFound(
        "There is no recording “\(name ?? "")” among those that were named when the studio was started, or in its folders."
      )
    }
    return entry
  }

  static func facts(_ url: URL) -> (size: Int, modified: Date)? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: url.path), let size = facts[.size] as? Int,
      let modified = facts[.modificationDate] as? Date
    else { return nil }
    return (size, modified)
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Returns the recordings in a folder, by name.
  private static func recordings(in folder: URL) -> [URL] {
    let keys: Set<URLResourceKey> = [.isRegularFileKey, .contentModificationDateKey]
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles)) ?? []
    let dated = files.compactMap { url -> (url: URL, date: Date)? in
      guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true else { return nil }
      return (url, values.contentModificationDate ?? .distantPast)
    }
    let latest = dated.sorted { $0.date > $1.date }.prefix(limit).map(\.url)
    return latest.filter(RecordingFile.isRecording).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
