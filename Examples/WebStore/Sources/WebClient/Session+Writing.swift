import CoreData
import Foundation

// Steps that save.
extension Session {
  func insert(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let tags = ["long", "short", "old"].map { name in
        let tag = Tag(context: context)
        tag.name = name
        return tag
      }
      for number in 0..<authors {
        let author = Author(context: context)
        author.name = "Author \(number)"
        author.city = ["Oslo", "Lima", "Pune"][number % 3]
        for place in 0..<Self.booksOfAuthor {
          let book = Book(context: context)
          let index = number * Self.booksOfAuthor + place
          book.title = "Book \(String(format: "%06d", index * 7919 % 1_000_000))"
          book.year = Int64(1990 + index % 10)
          book.pages = Int64(50 + index % 900)
          book.author = author
          book.addToTags(tags[index % 3])
        }
      }
      let count = context.insertedObjects.count
      try context.save()
      return "\(count) objects"
    }
  }

  func change(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      for book in try context.fetch(Self.booksByTitle(50)) { book.pages += 1 }
      let count = context.updatedObjects.count
      try context.save()
      return "\(count) objects"
    }
  }

  /// Somebody else has changed the number of pages meanwhile, and this context the title.
  func conflict(_ stack: Stack) throws -> String {
    let other = try Stack(place)
    let (mine, theirs) = (stack.newContext(), other.newContext())
    let title = try mine.performAndWait {
      mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard let book = try mine.fetch(Self.booksByTitle(1)).first else { return "" }
      let pages = book.pages
      try theirs.performAndWait {
        try theirs.fetch(Self.booksByTitle(1)).first?.pages = pages + 10
        try theirs.save()
      }
      book.title = (book.title ?? "") + " (second edition)"
      try mine.save()
      return "\(book.title ?? ""): \(book.pages - pages) pages more"
    }
    try other.close()
    return title
  }
}
