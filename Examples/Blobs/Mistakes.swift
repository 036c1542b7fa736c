import CoreData
import Foundation

/// What goes wrong where a program forgets that a picture is not in its row.
struct Mistakes: Codable, Equatable {
  /// The pictures that are tried in a copy of the store's file alone: those of the first screen.
  var tried = 0
  /// Those of them whose bytes can be read. The framework logs a line for each of the others.
  var readable = 0
  /// The files that are left by pictures that were inserted and then given up by a rollback.
  var orphans = 0
  /// The files that are left after the next start has looked for such.
  var orphansAfterStart = 0

  /// The number of pictures that are inserted and given up.
  static let givenUp = 3

  /// Copies a store's file as if nothing else belonged to it, and reads the copy's pictures. The store must be closed, so that
  /// its log is empty.
  ///
  /// - Throws: The errors of copying and of opening the copy.
  @MainActor mutating func copyFileAlone(of store: URL, _ design: Design, to url: URL) async throws {
    try FileManager.default.copyItem(at: store, to: url)
    let copy = try await Stack.open(design, at: url)
    let request = NSFetchRequest<NSManagedObject>(entityName: design.entityName)
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
    request.fetchLimit = PictureList.screen
    for case let picture as any NSManagedObject & Picture in try copy.viewContext.fetch(request) {
      tried += 1
      if let bytes = try? picture.picture(), !bytes.isEmpty { readable += 1 }
    }
  }

  /// Inserts pictures into a store and gives them up, and counts the files that this leaves, before and after the start of a
  /// program that looks for them.
  ///
  /// - Throws: The errors of writing files and of fetching.
  @MainActor mutating func giveUp(_ maker: PictureMaker, _ design: Design, at store: URL) async throws {
    let context = try await Stack.open(design, at: store).viewContext
    let before = StoreSize(of: store).files
    for number in 0..<Self.givenUp {
      let picture = design.pictureClass.init(context: context)
      try picture.setPicture(maker.picture(number))
    }
    context.rollback()
    orphans = StoreSize(of: store).files - before
    if design == .files { _ = try PictureFolder(store: store).removeOrphans(in: context) }
    orphansAfterStart = StoreSize(of: store).files - before
  }
}
