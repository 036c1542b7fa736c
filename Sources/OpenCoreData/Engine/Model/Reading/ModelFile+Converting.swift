import Foundation
import OpenCocoaFoundation

extension ModelFile {
  /// Writes `contents`, the XML that Xcode has written since version 4, into an `.xcdatamodel` that has only `elements`, the
  /// binary file of Xcode 3. The file `elements` stays.
  /// - Returns: the file that was written; nil if the folder has its XML already.
  /// - Throws: an NSError of NSCocoaErrorDomain if the model is wrong, or the file cannot be written; then there is no file.
  package static func convertElements(in folder: URL) throws -> URL? {
    let contents = folder.appendingPathComponent("contents"), elements = folder.appendingPathComponent("elements")
    if FileManager.default.fileExists(atPath: contents.path) { return nil }
    do {
      let document = try ElementsReader.tree(of: RegularFile.contents(elements)).document
      // A name may have a character that XML has no way to write; and a model with a mistake is better refused here.
      var reader = try SourceModelReader(root: XMLElementTree.parse(document), module: nil)
      try reader.read(into: NSManagedObjectModel())
      try document.write(to: contents, options: .atomic)
    } catch let problem as ModelProblem {
      throw problem.error(file: elements)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.unreadable(problem.reason).error(file: elements)
    }
    return contents
  }
}
