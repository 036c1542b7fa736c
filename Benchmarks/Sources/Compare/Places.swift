import Foundation

/// Checks before the rounds that the output of a run can be written, because the rounds may take an hour.
enum Places {
  /// Makes the folder of the stores, and tries to write in it.
  static func checkFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try probe(URL(fileURLWithPath: folder, isDirectory: true))
    } catch {
      throw CompareError("The stores cannot be written in '\(folder)' (--folder): \(reason(error))")
    }
  }

  /// Checks before the run that the output file can be written at its end.
  static func checkOutput(_ file: String) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
      throw CompareError("The results cannot be written to '\(file)' (--output): it is a folder.")
    }
    do {
      try probe(URL(fileURLWithPath: file).deletingLastPathComponent())
    } catch {
      throw CompareError("The results cannot be written to '\(file)' (--output): \(reason(error))")
    }
  }

  private static func probe(_ folder: URL) throws {
    let file = folder.appending(path: ".\(UUID().uuidString)")
    try Data().write(to: file)
    try FileManager.default.removeItem(at: file)
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return (cause ?? error).localizedDescription
  }
}
