import CommandSupport
import CoreDataTools
import Foundation

/// What was named when the studio was started. Nothing else is ever opened: no path comes from a browser.
public struct StudioSettings: Sendable {
  /// Stores in files, or the URLs of servers.
  public var stores: [URL] = []
  /// Models: `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom`.
  public var models: [URL] = []
  /// Recordings, and folders in which programs put theirs.
  public var recordings: [URL] = []
  /// Whether values may be changed, objects made and deleted, and stores migrated.
  public var allowsWriting = false
  /// The address to listen at: the loopback address, so that nobody else on the network reaches it.
  public var host = "127.0.0.1"
  /// The port; 0 for any that is free.
  public var port = 0
  /// The folder with the programs of the test picker; nil where they are not built.
  public var programs: URL?
  /// Where runs of tests are kept.
  public var runs: URL
  /// Where test programs, layouts of graphs and stores without a model's file put what they need meanwhile. Copies for rehearsals and
  /// trials of indexes are made in the process's own temporary folder.
  public var temporaryFolder = FileManager.default.temporaryDirectory

  /// - Parameter runs: Where runs of tests are kept.
  public init(runs: URL) { self.runs = runs }
}

extension StudioSettings {
  /// Takes in what was named on a command line: a model by its ending, a recording by how it begins, a folder of recordings,
  /// else a store.
  /// - Throws: a `ToolError` where there is no such file.
  public mutating func take(_ name: String) throws {
    if let url = URL(string: name), let scheme = url.scheme, ["postgresql", "postgres"].contains(scheme) {
      stores.append(url)
      return
    }
    let url = URL(fileURLWithPath: name).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ToolError("There is no file at \(url.path). Expected a store, a model or a recording.")
    }
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel", "momd", "mom": models.append(url)
    case "cdrec", "coredata-recording": recordings.append(url)
    default:
      if isFolder.boolValue || RecordingFile.isRecording(url) { recordings.append(url) } else { stores.append(url) }
    }
  }
}
