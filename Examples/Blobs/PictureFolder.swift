import CoreData
import Foundation

/// The folder of the pictures' files beside a store.
struct PictureFolder {
  let url: URL

  /// Creates the value for a store's file: "Pictures.sqlite" has its pictures in "Pictures files".
  init(store: URL) {
    let name = store.deletingPathExtension().lastPathComponent
    url = store.deletingLastPathComponent().appending(path: "\(name) files")
  }

  /// Writes bytes to a new file, and returns its name.
  ///
  /// - Throws: The errors of writing a file.
  func write(_ bytes: Data) throws -> String {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let name = UUID().uuidString
    try bytes.write(to: url.appending(path: name), options: .atomic)
    return name
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: The errors of reading a file.
  func read(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

  /// Removes a file, if it is there.
  func remove(_ name: String) { try? FileManager.default.removeItem(at: url.appending(path: name)) }

  /// The names of all files.
  var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }

  /// Removes the files that no saved picture names, and returns their number. To be called where no other context is between
  /// writing a file and its save: at the start of a program.
  ///
  /// - Throws: The errors of fetching.
  func removeOrphans(in context: NSManagedObjectContext) throws -> Int {
    let request = NSFetchRequest<NSDictionary>(entityName: Design.files.entityName)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["fileName"]
    let orphans = names.subtracting(try context.fetch(request).compactMap { $0["fileName"] as? String })
    orphans.forEach(remove)
    return orphans.count
  }
}
