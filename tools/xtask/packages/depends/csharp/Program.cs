using FirstMinuteClient;
using FirstMinute plugin = FirstMinuteClient.FirstMinute.Load();
System.Console.WriteLine(plugin.Greet(new Person("Ada", ["de"])).Text);
