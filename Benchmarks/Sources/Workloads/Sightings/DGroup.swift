import CoreData

/// Counts the sightings of each shape, in one statement.
func runGroup(_ store: Store) throws {
  let stack = try AlbumStack(url: store.sightings)
  let count = NSExpressionDescription()
  count.name = "count"
  count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "shape")])
  count.expressionResultType = .integer64AttributeType
  let request = NSFetchRequest<NSDictionary>(entityName: "Sighting")
  request.resultType = .dictionaryResultType
  request.propertiesToFetch = ["shape", count]
  request.propertiesToGroupBy = ["shape"]
  request.sortDescriptors = [NSSortDescriptor(key: "shape", ascending: true)]
  // The answer is made of the shapes in their order: the first letter and the length of each shape, and the number of its
  // sightings.
  try measure("D-group") {
    var digest = Digest()
    for group in try stack.context.fetch(request) {
      guard let shape = group["shape"] as? String, let count = group["count"] as? Int else { continue }
      digest.add(Int(shape.utf8.first ?? 0))
      digest.add(shape.utf8.count)
      digest.add(count)
    }
    return digest.answer
  }
  try stack.close()
}
