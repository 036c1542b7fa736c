import CoreData
import ExampleSupport

/// Inserts pictures.
struct Inserter {
  let context: NSManagedObjectContext
  let design: Design
  let maker: PictureMaker
  /// A save has pictures of about this many bytes, and is followed by a reset: the memory does not grow with the store.
  let batch = 32_000_000

  /// Inserts pictures, and returns what that cost; making the pictures is not counted.
  ///
  /// - Throws: The errors of saving, and of writing files.
  func insert(_ count: Int, progress: (Int) -> Void) throws -> Cost {
    var total: Cost?
    var number = 0
    while number < count {
      var made: [(number: Int, bytes: Data, thumbnail: Data)] = []
      var size = 0
      while number < count, size < batch {
        made.append((number, maker.picture(number), PictureMaker.thumbnail(number)))
        size += made[made.count - 1].bytes.count
        number += 1
      }
      let meter = Meter()
      for picture in made { try insert(picture.number, picture.bytes, picture.thumbnail) }
      try context.save()
      context.reset()
      total = total.map { $0 + meter.cost } ?? meter.cost
      progress(number)
    }
    return total ?? Meter().cost
  }

  private func insert(_ number: Int, _ bytes: Data, _ thumbnail: Data) throws {
    let picture = design.pictureClass.init(context: context)
    picture.title = PictureMaker.title(number)
    picture.date = PictureMaker.date(number)
    picture.thumbnail = thumbnail
    try picture.setPicture(bytes)
  }
}
