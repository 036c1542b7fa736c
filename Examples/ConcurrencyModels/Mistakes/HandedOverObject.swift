import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// The mistake: an object is handed over to another thread.
///
/// Swift's compiler refuses it, unless it is told to look away. The concurrency check stops the program at the first access.
/// So the program is started once more for it.
struct HandedOverObject {
  let folder: URL

  /// The mistake beside the right way.
  ///
  /// - Throws: The errors of starting the program, and those of the right way.
  func mistake() async throws -> Mistake {
    Mistake(
      title: "an object handed over to another thread", wrong: try messageOfCheck(), right: try await handOverID())
  }

  /// The right way: an ID goes to the other context, which makes an object of its own of it.
  private func handOverID() async throws -> String {
    let container = try Stack.open(at: folder.appending(path: "handed-over.sqlite"))
    let first = container.newBackgroundContext(), second = container.newBackgroundContext()
    let id = try await first.perform {
      SongValues.insert(0..<1, into: first)
      try first.save()
      return try first.fetch(Song.fetchRequest()).first?.objectID
    }
    guard let id else { throw ToolError("The song that was inserted is not there.") }
    return try await second.perform { try (second.existingObject(with: id) as? Song)?.title ?? "" }
  }

  /// Starts this program with `--wrong`, and returns the line with which the check ends it.
  private func messageOfCheck() throws -> String {
    let program = try OwnProgram(["--wrong"], keepsErrors: true)
    guard program.status != 0 else { return "nobody stopped it" }
    let lines = program.errors.split(separator: "\n").map(String.init)
    let message = lines.first { $0.contains("was used off its queue") } ?? lines.first ?? "it ended without a message"
    // Before it, Swift says where in the framework it ended.
    return message.range(of: "CoreData: error: ").map { String(message[$0.lowerBound...]) } ?? message
  }

  /// Makes the mistake. With the check on, the program ends here, without a core file.
  static func make(in folder: URL) async throws {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    setenv("COREDATA_CONCURRENCYDEBUG", "1", 0)
    let context = try Stack.open(at: folder.appending(path: "wrong.sqlite")).newBackgroundContext()
    // Wrong: it leaves the block in which it may be used. Without `nonisolated(unsafe)` this does not compile.
    nonisolated(unsafe) var handedOver: Song?
    await context.perform {
      let song = Song(context: context)
      song.title = "Handed over"
      handedOver = song
    }
    print(handedOver?.title ?? "")
  }
}
