public import CoreData

public nonisolated class Order: NSManagedObject {
  @NSManaged private var primitiveNumber: Int64
  var half: Int64 { primitiveNumber / 2 }
}

/// The sum of an order that is made and dropped.
public nonisolated func sum(of prices: [Int16]) -> Int {
  let container = NSPersistentContainer(name: "Shop")
  container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
  container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
  let context = container.newBackgroundContext()
  return context.performAndWait {
    let order = Express(context: context)
    order.hours = 1
    for price in prices {
      let article = Article(context: context)
      article.price = price
      order.addToArticles(article)
    }
    let sort = [NSSortDescriptor(keyPath: \Article.price, ascending: true)]
    let articles = order.articles?.sortedArray(using: sort) as? [Article] ?? []
    return articles.reduce(0) { $0 + Int($1.price) }
  }
}
