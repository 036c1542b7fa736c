import CommandSupport
import CoreDataTools
import Foundation

/// The files named when the studio was started, and its options. The studio opens no other files: no path comes from a
/// browser.
public struct StudioSettings: Sendable {
  /// Stores in files, or the URLs of servers and of web services.
  public var stores: [URL] = []
  /// Models: `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom`.
  public var models: [URL] = []
  /// Recordings, and folders in which programs put their recordings.
  public var recordings: [URL] = []
  /// Whether values may be changed, objects made and deleted, and stores migrated.
  public var allowsWriting = false
  /// The address to listen at. The default is the loopback address, which no other machine can reach.
  public var host = "127.0.0.1"
  /// The port; 0 for any free port.
  public var port = 0
  /// The folder with the programs of the test picker; nil if they are not built.
  public var programs: URL?
  /// The folder in which runs of tests are kept.
  public var runs: URL
  /// The folder in which programs listen; nil for the one that `CoreDataInstruments.listen()` takes by itself.
  public var listening: URL?
  /// The folder for temporary files of test programs, of layouts of graphs, and of plans for empty stores. Copies for
  /// rehearsals and trials of indexes are made in the temporary folder of the process.
  public var temporaryFolder = FileManager.default.temporaryDirectory

  /// - Parameter runs: The folder in which runs of tests are kept.
  public init(runs: URL) { self.runs = runs }
}

extension StudioSettings {
  /// Adds a file named on the command line. A model is recognised by its extension, a recording by its first bytes, a
  /// folder of recordings by being a folder; everything else is a store.
  /// - Throws: A `ToolError` if there is no such file, or a URL has no host.
  public mutating func take(_ name: String) throws {
    if ["http://", "https://"].contains(where: name.lowercased().hasPrefix) {
      guard let url = URL(string: name), url.host?.isEmpty == false else {
        // The text is not shown, because it may have a password in it.
        throw ToolError("The URL of a web service cannot be read. Expected one as http://127.0.0.1:8080/")
      }
      stores.append(url)
      return
    }
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
